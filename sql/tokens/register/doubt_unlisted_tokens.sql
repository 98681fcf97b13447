-- Marks the tokens of an installation stale if it says at every registration that it has none, and records that in the ledger.
-- $1 app_id, $2 installation_id, $3 now, $4 the minimum number of UTC days with such registrations, $5 the first of them was at
-- or before this instant
WITH tokenless AS (
    SELECT installation_id, tokenless_since
    FROM landfall.installation
    WHERE installation_id = $2 AND tokenless_visits >= $4 AND tokenless_since <= $5
), found AS (
    SELECT token.token_id, token.state, tokenless.tokenless_since
    FROM tokenless
    JOIN landfall.token ON token.installation_id = tokenless.installation_id
    WHERE token.app_id = $1
      AND token.state IN ('active', 'suspect')
      AND token.last_registered_at < tokenless.tokenless_since
    ORDER BY token.token_id
    FOR UPDATE OF token
), doubted AS (
    UPDATE landfall.token
    SET state = 'stale', cause = 'unlisted', state_changed_at = $3
    FROM found
    WHERE token.token_id = found.token_id
    RETURNING token.token_id, found.state AS state_before, found.tokenless_since
)
INSERT INTO landfall.token_transition (app_id, token_id, at, from_state, to_state, rule, evidence)
SELECT $1, token_id, $3, state_before, 'stale', 'unlisted',
       jsonb_build_object('silent_since', (extract(epoch FROM tokenless_since) * 1000)::bigint)
FROM doubted
ORDER BY token_id;
