-- Deletes the periods of an account on an installation that another account has taken over since. One row per period.
-- $1 app_id, $2 installation_id, $3 account
DELETE FROM landfall.account_binding
WHERE app_id = $1 AND installation_id = $2 AND account = $3
RETURNING installation_id;
