-- The notifications that an app sent last, for a person who connects a sender.

-- name: recent_states
-- How many notifications are in which state, by the quarter hour in which they were sent?
--
-- Parameters: $1 app, $2 first and $3 last quarter hour.
-- Grain: one row per quarter hour and state. Only the app's counters of that time are read, so the cost does
-- not depend on how many notifications there are, nor on other apps.

SELECT quarter, state, sum(notifications)::bigint AS notifications
  FROM landfall.headline_by_quarter
 WHERE app_id = $1 AND quarter BETWEEN $2 AND $3
 GROUP BY quarter, state
HAVING sum(notifications) <> 0;

-- name: newest_ids
-- Which notifications were sent last? By the time in their version 7 ids, and by the date of all others.
--
-- Parameters: $1 app, $2 first and $3 last version 7 id, $4 earliest and $5 latest date of others, $6 limit.
-- Grain: one row per notification; at most the limit by id, and as many by date.
--
-- Version 7 ids begin with their time, so the primary key leads to the newest of them, and the index of dates
-- to the newest of the others. What other apps sent since the earliest date is passed over, so ask only if
-- the counters above have grown, and only for the time in which they have.

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

-- name: newest_ids_in_states
-- Which notifications in one of these states were sent last?
--
-- Parameters: $1 app, $2 first and $3 last version 7 id, $4 earliest and $5 latest date of others, $6 states.
-- Grain: at most one row for version 7 ids, and one for all others. Read from the newest on, until one is
-- found: ask only if the counters have such states.

(SELECT notification_id
   FROM landfall.delivery
  WHERE notification_id BETWEEN $2 AND $3 AND app_id = $1 AND state = ANY ($6::integer[])
    AND sent_at BETWEEN $4::timestamptz - interval '1 day' AND $5
  ORDER BY notification_id DESC
  LIMIT 1)
UNION
(SELECT dated.notification_id
   FROM landfall.notification_date AS dated
  CROSS JOIN LATERAL (
      SELECT 1
        FROM landfall.delivery
       WHERE delivery.notification_id = dated.notification_id AND delivery.app_id = dated.app_id
         AND delivery.sent_at = dated.sent_at AND state = ANY ($6::integer[])
       LIMIT 1
  ) AS known
  WHERE dated.app_id = $1 AND dated.sent_at BETWEEN $4 AND $5
  ORDER BY dated.sent_at DESC
  LIMIT 1);

-- name: notifications_of_ids
-- What is known about these notifications?
--
-- Parameters: $1 app, $2 notification_id[], $3 earliest and $4 latest instant of sending.
-- Grain: one row per notification, the newest first. timed_by_receipt has the bits of device events that did
-- not say when they happened; is_registered is whether an app or an import has registered the token.

{{push}}, coalesce(timed_by_receipt, 0) AS timed_by_receipt,
       EXISTS (SELECT 1
                 FROM landfall.token
                WHERE token.token_id = delivery.token_id AND token.app_id = delivery.app_id
                  AND (is_vouched OR last_registered_at IS NOT NULL)) AS is_registered
{{push_tables}}
 WHERE delivery.notification_id = ANY ($2::uuid[]) AND delivery.app_id = $1
   AND delivery.sent_at BETWEEN $3::timestamptz - interval '1 day' AND $4 AND state <> 0
 ORDER BY delivery.sent_at DESC, notification_id;
