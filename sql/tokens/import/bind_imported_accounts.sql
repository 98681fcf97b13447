-- Binds accounts to installations, unless they are already bound, and ends those installations' bindings to other accounts. What a
-- table says is verified.
-- $1 app_id, $2 installation_id[], $3 account[], $4 instant[]; each installation once
-- IS NOT DISTINCT FROM keeps the planner from using an index that leads from an app to all of its accounts.
WITH line AS (
    SELECT installation_id, account, at
    FROM unnest($2::bigint[], $3::text[], $4::timestamptz[]) AS line (installation_id, account, at)
), verified AS (
    UPDATE landfall.account_binding AS binding SET is_verified = true
    FROM line
    WHERE binding.installation_id = line.installation_id
      AND binding.app_id IS NOT DISTINCT FROM $1
      AND binding.account = line.account
      AND binding.unbound_at IS NULL
      AND NOT binding.is_verified
), ended AS (
    UPDATE landfall.account_binding AS binding SET unbound_at = line.at
    FROM line
    WHERE binding.installation_id = line.installation_id
      AND binding.app_id IS NOT DISTINCT FROM $1
      AND binding.account <> line.account
      AND binding.unbound_at IS NULL
)
INSERT INTO landfall.account_binding (app_id, installation_id, account, is_verified, bound_at)
SELECT $1, installation_id, account, true, at
FROM line
WHERE NOT EXISTS (SELECT 1
                  FROM landfall.account_binding AS binding
                  WHERE binding.installation_id = line.installation_id
                    AND binding.account = line.account
                    AND binding.unbound_at IS NULL)
ORDER BY installation_id
ON CONFLICT (installation_id, account, bound_at) DO UPDATE SET unbound_at = NULL, is_verified = true;
