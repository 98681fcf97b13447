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
  AND delivery.state & 1 <> 0
  AND EXISTS (SELECT 1
              FROM landfall.account_binding AS binding
              WHERE binding.installation_id = delivery.installation_id AND binding.unbound_at <= delivery.sent_at)
  AND NOT EXISTS (SELECT 1
                  FROM landfall.account_binding AS binding
                  WHERE binding.installation_id = delivery.installation_id
                    AND binding.bound_at <= delivery.sent_at
                    AND (binding.unbound_at IS NULL OR binding.unbound_at > delivery.sent_at));
