-- Deletes one batch of notification dates. One row: how many.
-- $1 sent before this instant, $2 limit. Rows that a writer has locked are left for the next run.
WITH old AS (
    SELECT notification_id, app_id FROM landfall.notification_date
     WHERE sent_at < $1 ORDER BY sent_at LIMIT $2
       FOR UPDATE SKIP LOCKED
), removed AS (
    DELETE FROM landfall.notification_date AS known USING old
     WHERE known.notification_id = old.notification_id AND known.app_id = old.app_id
    RETURNING 1
)
SELECT count(*) AS row_count FROM removed;
