-- One batch of a sweep: retires tokens that were stale for too long and erases their values; the fingerprint stays, so
-- that the token is known when it comes back. One row per token.
-- $1 app_id, $2 stale since before this instant, $3 now, $4 run_id, $5 at most so many,
-- $6 behind this token: what lies before it is done
WITH outlived AS (
    SELECT token_id, state_changed_at
    FROM landfall.token
    WHERE app_id = $1 AND state = 'stale' AND state_changed_at < $2 AND token_id > $6
    ORDER BY token_id
    LIMIT $5
), retired AS (
    UPDATE landfall.token
    SET state = 'retired', cause = 'swept', sealed_value = NULL, state_changed_at = $3
    FROM outlived
    WHERE token.token_id = outlived.token_id AND token.state = 'stale'
    RETURNING token.token_id, outlived.state_changed_at AS stale_since
)
INSERT INTO landfall.token_transition (app_id, token_id, at, from_state, to_state, rule, evidence, run_id)
SELECT $1, token_id, $3, 'stale', 'retired', 'swept',
       jsonb_build_object('stale_since', (extract(epoch FROM stale_since) * 1000)::bigint), $4
FROM retired
ORDER BY token_id
RETURNING token_id;
