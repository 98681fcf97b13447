-- When were these notifications sent, as far as it is recorded? For ids that do not contain the time. Reads only.
-- $1 notification_id[], $2 app_id[]
-- OFFSET 0 makes the planner look up each notification in the index, however many it expects.
SELECT asked.notification_id, asked.app_id, found.sent_at
FROM unnest($1::uuid[], $2::bigint[]) AS asked (notification_id, app_id)
CROSS JOIN LATERAL (
    SELECT known.sent_at
    FROM landfall.notification_date AS known
    WHERE known.notification_id = asked.notification_id AND known.app_id = asked.app_id
    OFFSET 0
) AS found;
