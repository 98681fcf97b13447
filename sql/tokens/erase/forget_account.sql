-- Deletes the bindings of an account to an installation that another account has used since. One row per binding.
-- $1 app_id, $2 installation_id, $3 account
DELETE FROM landfall.account_binding
WHERE app_id = $1 AND installation_id = $2 AND account = $3
RETURNING installation_id;
