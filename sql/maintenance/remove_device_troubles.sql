-- Deletes one batch of the trouble that devices reported. One row: how many rows were deleted.
-- $1 received before this instant, $2 limit. Rows that another session has locked are left for the next run.
WITH old AS (
    SELECT app_id, quarter, trouble, reporter_id FROM landfall.device_trouble
     WHERE quarter < $1 LIMIT $2
       FOR UPDATE SKIP LOCKED
), removed AS (
    DELETE FROM landfall.device_trouble AS known USING old
     WHERE known.app_id = old.app_id AND known.quarter = old.quarter AND known.trouble = old.trouble
       AND known.reporter_id = old.reporter_id
    RETURNING 1
)
SELECT count(*) AS row_count FROM removed;
