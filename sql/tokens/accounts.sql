-- Accounts: bound to installations when they sign in, until they sign out.

-- name: unbind_other_accounts
-- Ends an installation's bindings to other accounts.
-- $1 installation_id, $2 account, $3 instant
UPDATE landfall.account_binding SET unbound_at = $3
WHERE installation_id = $1 AND account <> $2 AND unbound_at IS NULL;

-- name: bind_account
-- Binds an account to an installation from now on, unless it is already bound. An empty account binds nothing. A verified binding stays
-- verified when the device repeats it without a proof.
-- $1 app_id, $2 installation_id, $3 account, $4 instant, $5 is_verified
WITH verified AS (
    UPDATE landfall.account_binding SET is_verified = true
    WHERE installation_id = $2 AND account = $3 AND unbound_at IS NULL AND $5 AND NOT is_verified
)
INSERT INTO landfall.account_binding AS known (app_id, installation_id, account, is_verified, bound_at)
SELECT $1, $2, $3, $5, $4
WHERE $3 <> ''
  AND NOT EXISTS (SELECT 1
                  FROM landfall.account_binding
                  WHERE installation_id = $2 AND account = $3 AND unbound_at IS NULL)
ON CONFLICT (installation_id, account, bound_at) DO UPDATE
SET unbound_at = NULL, is_verified = known.is_verified OR excluded.is_verified;

-- name: count_pushes_after_departure
-- How many pushes were sent to installations whose account had signed out, with no account signed in since? One row: pushes, and
-- the installations they were sent to. Exact: reads every row of delivery in the window.
-- $1 app_id, $2 sent from this instant, $3 sent before this instant, $4 only this installation; null: all
WITH departed AS (
    SELECT DISTINCT binding.installation_id
    FROM landfall.account_binding AS binding
    WHERE binding.app_id = $1 AND binding.unbound_at < $3 AND ($4::bigint IS NULL OR binding.installation_id = $4)
)
SELECT count(*) AS push_count,
       count(DISTINCT delivery.installation_id) AS installation_count
FROM landfall.delivery
JOIN departed ON departed.installation_id = delivery.installation_id
WHERE delivery.app_id = $1
  AND delivery.sent_at >= $2
  AND delivery.sent_at < $3
  AND delivery.state & {{attempted}} <> 0
  AND EXISTS (SELECT 1
              FROM landfall.account_binding AS binding
              WHERE binding.installation_id = delivery.installation_id AND binding.unbound_at <= delivery.sent_at)
  AND NOT EXISTS (SELECT 1
                  FROM landfall.account_binding AS binding
                  WHERE binding.installation_id = delivery.installation_id
                    AND binding.bound_at <= delivery.sent_at
                    AND (binding.unbound_at IS NULL OR binding.unbound_at > delivery.sent_at));
