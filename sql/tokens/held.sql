-- Tokens that a breaker held back, until they are released or confirmed and the breaker closes.

-- name: lock_breakers_of_app
-- Locks the breakers of an app: while they are locked, no response retires or holds back a token there.
-- $1 app_id, $2 environment or null for any, $3 topic or null for any
SELECT environment, topic FROM landfall.token_breaker
WHERE app_id = $1 AND ($2 IS NULL OR environment = $2) AND ($3 IS NULL OR topic = $3)
ORDER BY environment, topic
FOR UPDATE;

-- name: decide_held
-- Releases or confirms one batch of tokens that the breaker held back, and records that in the ledger. One
-- row per token.
-- $1 app_id, $2 environment and $3 topic (null: any), $4 the new state, $5 the rule, $6 now, $7 run_id, $8
-- limit, $9 after this token: those before are done. Released tokens are as if the responses had never come.
WITH held AS (
    SELECT token_id, last_registered_at, died_at FROM landfall.token
    WHERE app_id = $1 AND cause = 'breaker' AND state IS NOT DISTINCT FROM 'suspect'
      AND ($2 IS NULL OR environment = $2) AND ($3 IS NULL OR topic = $3) AND token_id > $9
    ORDER BY token_id LIMIT $8
    FOR UPDATE
), decided AS (
    UPDATE landfall.token
    SET state = $4, state_changed_at = $6,
        cause = CASE WHEN $4 <> 'active' THEN $5 END,
        died_at = CASE WHEN $4 <> 'active' THEN token.died_at END,
        first_rejected_at = CASE WHEN $4 <> 'active' THEN token.first_rejected_at END,
        last_rejected_at = CASE WHEN $4 <> 'active' THEN token.last_rejected_at END
    FROM held
    WHERE token.token_id = held.token_id
    RETURNING token.token_id, held.last_registered_at, held.died_at
)
INSERT INTO landfall.token_transition (app_id, token_id, at, from_state, to_state, rule, evidence, run_id)
SELECT $1, token_id, $6, 'suspect', $4, $5,
       jsonb_strip_nulls(jsonb_build_object(
           'undone_rule', 'breaker',
           'registered_at', (extract(epoch FROM last_registered_at) * 1000)::bigint,
           'invalid_since', (extract(epoch FROM died_at) * 1000)::bigint)),
       $7
FROM decided
ORDER BY token_id
RETURNING token_id;

-- name: close_breakers
-- Closes breakers that no longer hold back any token, so that responses retire tokens again, and starts their
-- counts over. One row per breaker closed.
-- $1 app_id, $2 environment or null for any, $3 topic or null for any, $4 the current minute
UPDATE landfall.token_breaker AS breaker
SET opened_at = NULL, decided_minute = $4, decided_attempted = counted.attempted, decided_retired = counted.retired
FROM landfall.token_breaker AS known
CROSS JOIN LATERAL (
    SELECT coalesce(sum(attempted), 0)::bigint AS attempted, coalesce(sum(retired), 0)::bigint AS retired
    FROM landfall.token_breaker_minute
    WHERE app_id = known.app_id AND environment = known.environment AND topic = known.topic AND minute = $4
) AS counted
WHERE known.app_id = $1 AND known.opened_at IS NOT NULL AND ($2 IS NULL OR known.environment = $2)
  AND ($3 IS NULL OR known.topic = $3)
  AND NOT EXISTS (
      SELECT 1 FROM landfall.token
      WHERE (token.app_id, token.environment, token.topic) = (known.app_id, known.environment, known.topic)
        AND token.cause = 'breaker' AND token.state IS NOT DISTINCT FROM 'suspect')
  AND (breaker.app_id, breaker.environment, breaker.topic) = (known.app_id, known.environment, known.topic)
RETURNING breaker.environment, breaker.topic;
