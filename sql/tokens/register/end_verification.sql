-- Makes claims of the account and the tags of an installation, unless a later registration is recorded. Were there any?
-- $1 installation_id, $2 the time of the registration
WITH found AS (
    SELECT installation_id FROM landfall.installation WHERE installation_id = $1 AND last_registered_at <= $2
), account AS (
    UPDATE landfall.account_binding AS binding SET is_verified = false
    FROM found
    WHERE binding.installation_id = found.installation_id AND binding.unbound_at IS NULL AND binding.is_verified
    RETURNING 1
), described AS (
    UPDATE landfall.installation AS known
    SET claimed_tags = known.claimed_tags
            || ARRAY(SELECT tag FROM unnest(known.tags) AS tag WHERE tag <> ALL (known.claimed_tags)),
        tags = '{}'
    FROM found
    WHERE known.installation_id = found.installation_id AND known.tags <> '{}'
    RETURNING 1
)
SELECT EXISTS (SELECT FROM account) OR EXISTS (SELECT FROM described) AS was_verified;
