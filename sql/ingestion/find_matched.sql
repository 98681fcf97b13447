-- Which of these notifications have a response, and which installations did they go to? For events that changed nothing: whether they repeat something true.
-- $1 notification_id[], $2 app_id[], $3 sent_at[], $4 the earliest and $5 the latest of these dates; sorted by key.
-- Bit 1 of state is attempted (DeliveryState).
SELECT delivery.notification_id, delivery.app_id, delivery.sent_at, delivery.installation_id
FROM landfall.delivery
JOIN unnest($1::uuid[], $2::bigint[], $3::timestamptz[]) AS repeated (notification_id, app_id, sent_at)
  ON delivery.notification_id = repeated.notification_id
 AND delivery.app_id = repeated.app_id
 AND delivery.sent_at = repeated.sent_at
WHERE delivery.sent_at BETWEEN $4 AND $5
  AND delivery.state & 1 = 1;
