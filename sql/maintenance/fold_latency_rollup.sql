-- Moves one batch of rows of latency_rollup into shard -1, and adds them to latency_day_rollup. One row: how many.
-- $1 quarters before this instant, $2 limit.
--
-- Rows that a writer is changing are skipped until the next run, so this waits for no writer. A writer that adds to a row while
-- it is being folded waits until that is done and inserts a new row: nothing is lost, and the sums are the same at every commit.
WITH chosen AS (
    SELECT app_id, quarter, campaign_id, stage, bucket, shard FROM landfall.latency_rollup
     WHERE shard >= 0 AND quarter < $1 ORDER BY quarter LIMIT $2
       FOR UPDATE SKIP LOCKED
), taken AS (
    DELETE FROM landfall.latency_rollup AS known USING chosen
     WHERE known.app_id = chosen.app_id AND known.quarter = chosen.quarter AND known.campaign_id = chosen.campaign_id
       AND known.stage = chosen.stage AND known.bucket = chosen.bucket AND known.shard = chosen.shard
    RETURNING known.*
), folded AS (
    INSERT INTO landfall.latency_rollup AS known (
        app_id, quarter, campaign_id, stage, bucket, shard, notifications
    )
    SELECT app_id, quarter, campaign_id, stage, bucket, -1, sum(notifications)
      FROM taken
     GROUP BY app_id, quarter, campaign_id, stage, bucket
     ORDER BY app_id, quarter, campaign_id, stage, bucket
    ON CONFLICT (app_id, quarter, campaign_id, stage, bucket, shard) DO UPDATE SET
        notifications = known.notifications + excluded.notifications
), folded_by_day AS (
    INSERT INTO landfall.latency_day_rollup AS known (
        app_id, day, campaign_id, stage, bucket,
        notifications
    )
    SELECT app_id, date_trunc('day', quarter, 'UTC') AS day, campaign_id, stage, bucket,
           sum(notifications)
      FROM taken
     GROUP BY app_id, day, campaign_id, stage, bucket
     ORDER BY app_id, day, campaign_id, stage, bucket
    ON CONFLICT (app_id, day, campaign_id, stage, bucket) DO UPDATE SET
        notifications = known.notifications + excluded.notifications
)
SELECT count(*) AS row_count FROM taken;
