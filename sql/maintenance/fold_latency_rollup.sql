-- Folds one batch of the counters of times into shard -1, and into the counters of UTC days with it. How many rows went.
-- $1 quarters before this instant, $2 at most so many rows.
--
-- Rows that a writer has in hand are left for the next time, so this waits for nobody. A writer that adds to a row while it
-- is being folded waits for the end of that and makes a new row: nothing is lost, and at every commit the sums are the same.
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
SELECT count(*) AS folded FROM taken;
