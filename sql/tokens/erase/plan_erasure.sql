-- What would an erasure of these installations erase? One row per installation that is not erased yet.
-- $1 app_id, $2 device_id[]
-- IS NOT DISTINCT FROM makes the planner count by installation, and not by reading all rows of the app for each.
SELECT installation.device_id,
       (SELECT count(*) FROM landfall.token
         WHERE token.app_id IS NOT DISTINCT FROM $1 AND token.installation_id = installation.installation_id) AS token_count,
       (SELECT count(*) FROM landfall.token
         WHERE token.app_id IS NOT DISTINCT FROM $1 AND token.installation_id = installation.installation_id
           AND token.sealed_value IS NOT NULL) AS value_count,
       (SELECT count(*) FROM landfall.account_binding AS binding
         WHERE binding.app_id IS NOT DISTINCT FROM $1 AND binding.installation_id = installation.installation_id) AS account_binding_count,
       (SELECT count(*) FROM landfall.permission_period AS period
         WHERE period.app_id IS NOT DISTINCT FROM $1 AND period.installation_id = installation.installation_id) AS permission_period_count,
       (cardinality(installation.tags) + cardinality(installation.claimed_tags))::bigint AS tag_count
FROM landfall.installation
WHERE installation.app_id = $1 AND installation.device_id = ANY ($2::uuid[]) AND installation.erased_at IS NULL
ORDER BY installation.device_id;
