-- In which state was every installation of an app at an instant, as the ledger tells it? One row per state.
-- $1 app_id, $2 the instant: what happened before it counts, $3 kinds of token that show notifications, $4 what was decided before
-- this instant is known
-- Its state is the best one of the tokens it holds: active, suspect, stale, retired. One that lost all of them to others is retired;
-- one that never had any is not here. Time as in tokens_as_of.sql.
WITH later AS (
    SELECT token_id, min(transition_id) AS transition_id
    FROM landfall.token_transition
    WHERE app_id = $1 AND (at >= $4 OR landfall.transition_time(rule, evidence, at) >= $2)
    GROUP BY token_id
), known AS (
    SELECT known.token_id, known.transition_id, known.to_state,
           (known.evidence ->> 'to_installation_id')::bigint AS taker_id
    FROM landfall.token_transition AS known
    JOIN landfall.token
      ON token.token_id = known.token_id AND token.app_id = $1 AND token.kind = ANY ($3::text[])
    LEFT JOIN later ON later.token_id = known.token_id
    WHERE known.app_id = $1
      AND (later.transition_id IS NULL OR known.transition_id < later.transition_id)
), last AS (
    SELECT DISTINCT ON (token_id) token_id, to_state
    FROM known
    ORDER BY token_id, transition_id DESC
), held AS (
    SELECT DISTINCT ON (token_id) token_id, taker_id AS installation_id
    FROM known
    WHERE taker_id IS NOT NULL
    ORDER BY token_id, transition_id DESC
), judged AS (
    SELECT holder.installation_id,
           min(array_position(ARRAY['active', 'suspect', 'stale', 'retired'], last.to_state)) AS best
    FROM (SELECT DISTINCT taker_id AS installation_id FROM known WHERE taker_id IS NOT NULL) AS holder
    LEFT JOIN held ON held.installation_id = holder.installation_id
    LEFT JOIN last ON last.token_id = held.token_id
    GROUP BY holder.installation_id
)
SELECT (ARRAY['active', 'suspect', 'stale', 'retired'])[coalesce(best, 4)] AS state, count(*) AS installations
FROM judged
GROUP BY 1;
