-- In which state was every token of an app at an instant, as the ledger tells it? One row per state, kind and environment; those
-- in use first.
-- $1 app_id, $2 the instant: what happened before it counts, $3 what was decided before this instant is known
-- What happened or was decided later does not count, and neither does what follows it in the ledger of the same token: the clocks of
-- servers differ, and history comes late, but the order of a token's rows holds.
WITH later AS (
    SELECT token_id, min(transition_id) AS transition_id
    FROM landfall.token_transition
    WHERE app_id = $1 AND (at >= $3 OR landfall.transition_time(rule, evidence, at) >= $2)
    GROUP BY token_id
), last AS (
    SELECT DISTINCT ON (known.token_id) known.token_id, known.to_state
    FROM landfall.token_transition AS known
    LEFT JOIN later ON later.token_id = known.token_id
    WHERE known.app_id = $1
      AND (later.transition_id IS NULL OR known.transition_id < later.transition_id)
    ORDER BY known.token_id, known.transition_id DESC
)
SELECT last.to_state AS state, token.kind, token.environment, count(*) AS tokens
FROM last
JOIN landfall.token ON token.token_id = last.token_id AND token.app_id = $1
GROUP BY last.to_state, token.kind, token.environment
ORDER BY array_position(ARRAY['active', 'suspect', 'stale', 'retired'], last.to_state), tokens DESC, token.kind,
         token.environment;
