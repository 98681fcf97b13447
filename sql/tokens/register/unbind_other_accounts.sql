-- Ends an installation's bindings to other accounts.
-- $1 installation_id, $2 account, $3 instant
UPDATE landfall.account_binding SET unbound_at = $3
WHERE installation_id = $1 AND account <> $2 AND unbound_at IS NULL;
