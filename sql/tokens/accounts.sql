-- Accounts: bound to installations when they sign in, until they sign out.

-- name: unbind_other_accounts
-- Ends an installation's bindings to other accounts.
-- $1 installation_id, $2 account, $3 instant
UPDATE landfall.account_binding SET unbound_at = $3
WHERE installation_id = $1 AND account <> $2 AND unbound_at IS NULL;

-- name: bind_account
-- Binds an account to an installation from now on, unless it is already bound. An empty account binds
-- nothing. A verified binding stays verified when the device repeats it without a proof. Only the WITH clause
-- reads tables: if the SELECT of an INSERT reads one, Citus sends the whole statement to the shard, and the
-- WITH clause with the table's name instead of the shard's.
-- $1 app_id, $2 installation_id, $3 account, $4 instant, $5 is_verified
WITH bound AS (
    SELECT installation_id FROM landfall.account_binding
    WHERE installation_id = $2 AND account = $3 AND unbound_at IS NULL
), verified AS (
    UPDATE landfall.account_binding SET is_verified = true
    WHERE installation_id = $2 AND account = $3 AND unbound_at IS NULL AND $5 AND NOT is_verified
)
INSERT INTO landfall.account_binding AS known (app_id, installation_id, account, is_verified, bound_at)
SELECT $1, $2, $3, $5, $4
WHERE $3 <> '' AND NOT EXISTS (SELECT FROM bound)
ON CONFLICT (installation_id, account, bound_at) DO UPDATE
SET unbound_at = NULL, is_verified = known.is_verified OR excluded.is_verified;
