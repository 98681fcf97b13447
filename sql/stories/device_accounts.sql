-- Which accounts were signed in on an installation, and when?
--
-- Parameters: $1 app, $2 installation.
-- Grain: one row per binding, in time order.

SELECT account, is_verified, bound_at, unbound_at
  FROM landfall.account_binding
 WHERE app_id = $1
   AND installation_id = $2
 ORDER BY bound_at, account;
