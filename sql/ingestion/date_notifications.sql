-- When were notifications sent whose ids do not say so? One row per notification: the date that stands, and the provisional
-- one that its earlier events lie under, if this statement replaced it.
-- $1 notification_id[], $2 app_id[], $3 sent_at[] as the answer says, null where only events without a date came, $4 now;
-- one element per notification, sorted by key, so that concurrent batches lock rows in one order.
--
-- The first date an answer gave stands. Without one, a notification lies under a provisional date: when its first event came.
INSERT INTO landfall.notification_date AS known (notification_id, app_id, sent_at, is_provisional)
SELECT notification_id, app_id, coalesce(sent_at, $4), sent_at IS NULL
FROM unnest($1::uuid[], $2::bigint[], $3::timestamptz[]) AS event (notification_id, app_id, sent_at)
ON CONFLICT (notification_id, app_id) DO UPDATE SET
    provisional_at = CASE WHEN known.is_provisional AND NOT excluded.is_provisional THEN known.sent_at END,
    sent_at        = CASE WHEN known.is_provisional AND NOT excluded.is_provisional
                          THEN excluded.sent_at ELSE known.sent_at END,
    is_provisional = known.is_provisional AND excluded.is_provisional
RETURNING notification_id, app_id, sent_at, provisional_at;
