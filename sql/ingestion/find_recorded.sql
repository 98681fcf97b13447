-- Which of these notifications are recorded, and in which state? One row per key that has a row. Reads only.
-- $1 notification_id[], $2 app_id[], $3 sent_at[], $4 the earliest and $5 the latest of these dates.
-- OFFSET 0 makes the planner look up each key in the index, however many it expects.
SELECT asked.notification_id, asked.app_id, asked.sent_at, found.state, found.installation_id, found.sent_after_ms,
       found.reporters
FROM unnest($1::uuid[], $2::bigint[], $3::timestamptz[]) AS asked (notification_id, app_id, sent_at)
CROSS JOIN LATERAL (
    SELECT delivery.state, delivery.installation_id, delivery.sent_after_ms, delivery.reporters
    FROM landfall.delivery
    WHERE delivery.notification_id = asked.notification_id
      AND delivery.app_id = asked.app_id
      AND delivery.sent_at = asked.sent_at
      AND delivery.sent_at BETWEEN $4 AND $5
    OFFSET 0
) AS found;
