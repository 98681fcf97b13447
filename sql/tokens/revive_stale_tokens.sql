-- Stale tokens that gave a sign of life, by themselves or through their installation, become active again.
-- $1 token_id[], $2 installation_id[], $3 now
WITH revived AS (
    UPDATE landfall.token
    SET state = 'active', cause = NULL, state_changed_at = $3
    WHERE state = 'stale' AND (token_id = ANY ($1::bigint[]) OR installation_id = ANY ($2::bigint[]))
    RETURNING app_id, token_id
)
INSERT INTO landfall.token_transition (app_id, token_id, at, from_state, to_state, rule, evidence)
SELECT app_id, token_id, $3, 'stale', 'active', 'sign_of_life', '{}'
FROM revived
ORDER BY token_id;
