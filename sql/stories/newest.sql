-- The notifications that an app sent last, for a person who connects a sender.

-- name: newest_ids
-- Which notifications were sent last? By the time in their version 7 ids, and by the date of all others.
--
-- Parameters: $1 app, $2 first and $3 last version 7 id, $4 earliest and $5 latest date of others, $6 limit.
-- Grain: one row per notification; at most the limit by id, and as many by date.
--
-- Version 7 ids begin with their time, so the primary key leads to the newest of them, and the index of dates
-- to the newest of the others: the cost depends on what was sent since, not on what is kept.

(SELECT notification_id
   FROM landfall.delivery
  WHERE notification_id BETWEEN $2 AND $3 AND app_id = $1 AND state <> 0
    AND sent_at BETWEEN $4::timestamptz - interval '1 day' AND $5
  ORDER BY notification_id DESC
  LIMIT $6)
UNION
(SELECT notification_id
   FROM landfall.notification_date
  WHERE app_id = $1 AND sent_at BETWEEN $4 AND $5
  ORDER BY sent_at DESC
  LIMIT $6);

-- name: notifications_of_ids
-- What is known about these notifications?
--
-- Parameters: $1 app, $2 notification_id[], $3 earliest and $4 latest instant of sending.
-- Grain: one row per notification, the newest first. timed_by_receipt has the bits of device events that did
-- not say when they happened.

{{push}}, coalesce(timed_by_receipt, 0) AS timed_by_receipt
{{push_tables}}
 WHERE delivery.notification_id = ANY ($2::uuid[]) AND delivery.app_id = $1
   AND delivery.sent_at BETWEEN $3::timestamptz - interval '1 day' AND $4 AND state <> 0
 ORDER BY delivery.sent_at DESC, notification_id;
