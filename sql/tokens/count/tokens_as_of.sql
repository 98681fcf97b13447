-- How many tokens of an app were in which state at an instant, according to the ledger? One row per state, kind and environment;
-- active first, retired last.
-- $1 app_id, $2 the instant (exclusive), $3 only rows decided before this instant
-- A row that happened or was decided later does not count, and neither do the rows after it in the same token's ledger: servers'
-- clocks differ and events come late, but the order of a token's rows is right.
WITH step AS (
    SELECT token_id, transition_id, to_state,
           bool_or(at >= $3 OR landfall.transition_time(rule, evidence, at) >= $2)
               OVER (PARTITION BY token_id ORDER BY transition_id) AS is_later
    FROM landfall.token_transition
    WHERE app_id = $1
), last AS (
    SELECT DISTINCT ON (token_id) token_id, to_state
    FROM step
    WHERE NOT is_later
    ORDER BY token_id, transition_id DESC
)
SELECT last.to_state AS state, token.kind, token.environment, count(*) AS tokens
FROM last
CROSS JOIN LATERAL (SELECT kind, environment FROM landfall.token WHERE token_id = last.token_id OFFSET 0) AS token
GROUP BY last.to_state, token.kind, token.environment
ORDER BY array_position(ARRAY['active', 'suspect', 'stale', 'retired'], last.to_state), tokens DESC, token.kind,
         token.environment;
