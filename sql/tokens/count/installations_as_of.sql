-- How many installations of an app were in which state at an instant, according to the ledger? One row per state.
-- $1 app_id, $2 the instant (exclusive), $3 kinds of token that show notifications, $4 only rows decided before this instant
-- An installation's state is the best one of the tokens it holds: active, suspect, stale, retired. An installation that lost all
-- of them to others is retired; one that never had any is left out. Times are as in tokens_as_of.sql.
WITH step AS (
    SELECT token_id, transition_id, to_state,
           (evidence ->> 'to_installation_id')::bigint AS taker_id,
           bool_or(at >= $4 OR landfall.transition_time(rule, evidence, at) >= $2)
               OVER (PARTITION BY token_id ORDER BY transition_id) AS is_later
    FROM landfall.token_transition
    WHERE app_id = $1
), known AS (
    -- For each token: every installation that ever took it, the last of them, and the token's last state.
    SELECT token_id,
           array_agg(DISTINCT taker_id) FILTER (WHERE taker_id IS NOT NULL)                                AS takers,
           (array_agg(taker_id ORDER BY transition_id DESC) FILTER (WHERE taker_id IS NOT NULL))[1]        AS holder_id,
           (array_agg(array_position(ARRAY['active', 'suspect', 'stale', 'retired'], to_state)
                      ORDER BY transition_id DESC))[1]                                                     AS state
    FROM step
    WHERE NOT is_later
    GROUP BY token_id
), judged AS (
    SELECT taken.installation_id,
           min(CASE WHEN taken.installation_id = known.holder_id THEN known.state END) AS best
    FROM known
    CROSS JOIN LATERAL (SELECT kind FROM landfall.token WHERE token_id = known.token_id OFFSET 0) AS token
    CROSS JOIN unnest(known.takers) AS taken (installation_id)
    WHERE token.kind = ANY ($3::text[])
    GROUP BY taken.installation_id
)
SELECT (ARRAY['active', 'suspect', 'stale', 'retired'])[coalesce(best, 4)] AS state, count(*) AS installations
FROM judged
GROUP BY 1;
