-- Tokens with a time of expiry.

-- name: count_expired
-- How many tokens of an app have expired but are not retired yet?
-- $1 app_id, $2 now
SELECT count(*) AS token_count FROM landfall.token
WHERE app_id = $1 AND expires_at <= $2 AND state <> 'retired';

-- name: retire_expired
-- Retires expired tokens and erases their values: those of one installation, or a batch of the app's, in
-- order of expiry. One row per token: when it expired.
-- $1 app_id, $2 expired at or before this instant, $3 now, $4 run_id of a sweep, or null, $5 limit of the
-- batch, $6 the batch expired at or after this instant: earlier ones are done, $7 only this installation;
-- null: a batch of the app
-- IS TRUE and IS NOT DISTINCT FROM make the planner look up the tokens by their ids. Otherwise it would read
-- an index of all that have expired.
WITH ended AS MATERIALIZED (
    -- token_expiry_idx leads from each batch to the next, so that no batch searches the tokens that are left.
    (SELECT token_id FROM landfall.token
     WHERE $7::bigint IS NULL AND app_id = $1 AND expires_at >= $6 AND expires_at <= $2 AND state <> 'retired'
     ORDER BY expires_at LIMIT $5)
    UNION ALL
    SELECT token_id FROM landfall.token
    WHERE installation_id = $7 AND app_id IS NOT DISTINCT FROM $1 AND (expires_at <= $2) IS TRUE
      AND state <> 'retired'
), expired AS (
    -- Locked in the order in which every transaction locks tokens, with the values they have then.
    SELECT token_id, state, expires_at
    FROM landfall.token
    WHERE token_id = ANY (ARRAY(SELECT token_id FROM ended)) AND app_id IS NOT DISTINCT FROM $1
      AND (expires_at <= $2) IS TRUE AND state <> 'retired'
    ORDER BY token_id
    FOR UPDATE
), retired AS (
    UPDATE landfall.token
    SET state = 'retired', cause = 'expired', sealed_value = NULL, sealed_keys = NULL,
        state_changed_at = $3
    FROM expired
    WHERE token.token_id = expired.token_id
    RETURNING token.token_id, expired.state AS state_before, expired.expires_at
), noted AS (
    INSERT INTO landfall.token_transition (app_id, token_id, at, from_state, to_state, rule, evidence, run_id)
    SELECT $1, token_id, $3, state_before, 'retired', 'expired',
           jsonb_build_object('expired_at', (extract(epoch FROM expires_at) * 1000)::bigint), $4
    FROM retired
    ORDER BY token_id
)
SELECT expires_at FROM retired;
