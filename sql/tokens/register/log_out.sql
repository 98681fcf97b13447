-- Retires every token of an installation and frees its slots; the ledger has the reason. One row per token.
-- $1 app_id, $2 installation_id, $3 now
-- Tokens that responses had retired get the new cause, too: neither a restoration nor a late acceptance may revive them for a
-- user who logged out.
WITH holding AS (
    SELECT token_id, state
    FROM landfall.token
    WHERE installation_id = $2
      AND app_id = $1
      AND (state <> 'retired' OR cause IN ('unregistered', 'bad_token', 'confirmed'))
), freed AS (
    DELETE FROM landfall.token_slot WHERE installation_id = $2
), retired AS (
    UPDATE landfall.token
    SET state = 'retired', cause = 'logged_out',
        state_changed_at = CASE WHEN holding.state = 'retired' THEN token.state_changed_at ELSE $3 END
    FROM holding
    WHERE token.token_id = holding.token_id
    RETURNING token.token_id, holding.state AS state_before
)
INSERT INTO landfall.token_transition (app_id, token_id, at, from_state, to_state, rule, evidence)
SELECT $1, token_id, $3, state_before, 'retired', 'logged_out', jsonb_build_object('from_installation_id', $2)
FROM retired
ORDER BY token_id
RETURNING token_id;
