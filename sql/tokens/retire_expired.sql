-- Retires tokens whose time is over, and erases their values. One row per token.
-- $1 app_id, $2 expired at this instant, $3 now, $4 run_id of a sweep, or null, $5 at most so many,
-- $6 behind this token: what lies before it is done, $7 of this installation only; null: of all
WITH expired AS (
    SELECT token_id, state, expires_at
    FROM landfall.token
    WHERE app_id = $1 AND expires_at <= $2 AND state <> 'retired' AND token_id > $6
      AND ($7::bigint IS NULL OR installation_id = $7)
    ORDER BY token_id
    LIMIT $5
    FOR UPDATE
), retired AS (
    UPDATE landfall.token
    SET state = 'retired', cause = 'expired', sealed_value = NULL, state_changed_at = $3
    FROM expired
    WHERE token.token_id = expired.token_id
    RETURNING token.token_id, expired.state AS state_before, expired.expires_at
)
INSERT INTO landfall.token_transition (app_id, token_id, at, from_state, to_state, rule, evidence, run_id)
SELECT $1, token_id, $3, state_before, 'retired', 'expired',
       jsonb_build_object('expired_at', (extract(epoch FROM expires_at) * 1000)::bigint), $4
FROM retired
ORDER BY token_id
RETURNING token_id;
