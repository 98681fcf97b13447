-- The times at which notifications were sent whose ids do not contain the time.

-- name: find_dates
-- When were these notifications sent, as far as it is recorded? For ids that do not contain the time. Reads
-- only.
-- $1 notification_id[], $2 app_id[] OFFSET 0 makes the planner look up each notification in the index,
-- however many it expects.
SELECT asked.notification_id, asked.app_id, found.sent_at
FROM unnest($1::uuid[], $2::bigint[]) AS asked (notification_id, app_id)
CROSS JOIN LATERAL (
    SELECT known.sent_at
    FROM landfall.notification_date AS known
    WHERE known.notification_id = asked.notification_id AND known.app_id = asked.app_id
    OFFSET 0
) AS found;

-- name: date_notifications
-- When were these notifications sent, whose ids do not contain the time? One row per notification: the date
-- that applies and, if this statement replaced it, the provisional date that the row of its earlier events
-- has.
-- $1 notification_id[], $2 app_id[], $3 sent_at[], $4 whether a response stated it[]; one element per
-- notification, sorted by key, so that concurrent batches lock rows in one order.
--
-- The first date that a response states is final. Until then, a notification has a provisional date: the one
-- its first event stated or, if it stated none, when that event came in.
INSERT INTO landfall.notification_date AS known (notification_id, app_id, sent_at, is_provisional)
SELECT notification_id, app_id, sent_at, NOT has_response
FROM unnest($1::uuid[], $2::bigint[], $3::timestamptz[], $4::boolean[])
     AS event (notification_id, app_id, sent_at, has_response)
ON CONFLICT (notification_id, app_id) DO UPDATE SET
    provisional_at = CASE WHEN known.is_provisional AND NOT excluded.is_provisional THEN known.sent_at END,
    sent_at        = CASE WHEN known.is_provisional AND NOT excluded.is_provisional
                          THEN excluded.sent_at ELSE known.sent_at END,
    is_provisional = known.is_provisional AND excluded.is_provisional
RETURNING notification_id, app_id, sent_at, provisional_at;
