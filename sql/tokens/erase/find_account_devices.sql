-- On which installations was this account signed in, and was it the last account there? One row per installation that is not
-- erased.
-- $1 app_id, $2 account
-- IS NOT DISTINCT FROM makes the planner look up each installation, instead of reading all rows of the app for each.
SELECT installation.device_id,
       NOT EXISTS (SELECT 1
                   FROM landfall.account_binding AS other
                   WHERE other.app_id IS NOT DISTINCT FROM $1
                     AND other.installation_id = installation.installation_id
                     AND other.account <> $2
                     AND (other.unbound_at IS NULL OR other.bound_at > held.last_bound_at)) AS is_last
FROM (SELECT binding.installation_id, max(binding.bound_at) AS last_bound_at
      FROM landfall.account_binding AS binding
      WHERE binding.app_id = $1 AND binding.account = $2
      GROUP BY binding.installation_id) AS held
JOIN landfall.installation
  ON installation.app_id IS NOT DISTINCT FROM $1 AND installation.installation_id = held.installation_id
WHERE installation.erased_at IS NULL
ORDER BY installation.device_id;
