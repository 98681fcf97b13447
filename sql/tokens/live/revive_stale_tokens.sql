-- Makes stale tokens active again that gave a sign of life, themselves or through their installation.
-- $1 token_id[], $2 installation_id[], $3 now, $4 was it a device event: an installation that registers without a token gives no
-- sign of life of the token that it had
-- There may be millions of stale tokens, so these few are not looked up through the state: no index serves IS NOT DISTINCT FROM.
WITH heard AS (
    SELECT token_id FROM unnest($1::bigint[]) AS sign (token_id)
    UNION
    SELECT token_id FROM landfall.token WHERE installation_id = ANY ($2::bigint[]) AND state IS NOT DISTINCT FROM 'stale'
       AND ($4 OR cause IS DISTINCT FROM 'unlisted')
), revived AS (
    UPDATE landfall.token
    SET state = 'active', cause = NULL, state_changed_at = $3
    FROM heard
    WHERE token.token_id = heard.token_id AND token.state IS NOT DISTINCT FROM 'stale'
    RETURNING token.app_id, token.token_id
)
INSERT INTO landfall.token_transition (app_id, token_id, at, from_state, to_state, rule, evidence)
SELECT app_id, token_id, $3, 'stale', 'active', 'sign_of_life', '{}'
FROM revived
ORDER BY token_id;
