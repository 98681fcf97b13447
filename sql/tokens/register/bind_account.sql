-- Binds an account to an installation from now on, unless it is already bound. An empty account binds nothing.
-- $1 app_id, $2 installation_id, $3 account, $4 instant
INSERT INTO landfall.account_binding (app_id, installation_id, account, bound_at)
SELECT $1, $2, $3, $4
WHERE $3 <> ''
  AND NOT EXISTS (SELECT 1
                  FROM landfall.account_binding
                  WHERE installation_id = $2 AND account = $3 AND unbound_at IS NULL)
ON CONFLICT (installation_id, account, bound_at) DO UPDATE SET unbound_at = NULL;
