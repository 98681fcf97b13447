-- When were notifications sent whose ids do not say so? One row per notification: the date that stands, and the provisional
-- one that its earlier events lie under, if this statement replaced it.
-- $1 notification_id[], $2 app_id[], $3 sent_at[], $4 whether an answer said so[]; one element per notification, sorted by
-- key, so that concurrent batches lock rows in one order.
--
-- The first date an answer gave stands. Until one does, a notification lies under a provisional date: what its first event
-- said, or when that came.
INSERT INTO landfall.notification_date AS known (notification_id, app_id, sent_at, is_provisional)
SELECT notification_id, app_id, sent_at, NOT is_answered
FROM unnest($1::uuid[], $2::bigint[], $3::timestamptz[], $4::boolean[])
     AS event (notification_id, app_id, sent_at, is_answered)
ON CONFLICT (notification_id, app_id) DO UPDATE SET
    provisional_at = CASE WHEN known.is_provisional AND NOT excluded.is_provisional THEN known.sent_at END,
    sent_at        = CASE WHEN known.is_provisional AND NOT excluded.is_provisional
                          THEN excluded.sent_at ELSE known.sent_at END,
    is_provisional = known.is_provisional AND excluded.is_provisional
RETURNING notification_id, app_id, sent_at, provisional_at;
