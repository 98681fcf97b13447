-- Makes claims of the account and the tags of an installation. Were there any?
-- $1 installation_id
WITH account AS (
    UPDATE landfall.account_binding SET is_verified = false
    WHERE installation_id = $1 AND unbound_at IS NULL AND is_verified
    RETURNING 1
), tags AS (
    UPDATE landfall.installation
    SET claimed_tags = claimed_tags || ARRAY(SELECT tag FROM unnest(tags) AS tag WHERE tag <> ALL (claimed_tags)),
        tags = '{}'
    WHERE installation_id = $1 AND tags <> '{}'
    RETURNING 1
)
SELECT EXISTS (SELECT FROM account) OR EXISTS (SELECT FROM tags);
