-- Moves one batch of rows of version_rollup into shard -1. One row: how many.
-- $1 days that ended before this instant, $2 limit.
--
-- Rows that a writer is changing are skipped until the next run, so this waits for no writer. A writer that adds to a row while
-- it is being folded waits until that is done and inserts a new row: nothing is lost, and the sums are the same at every commit.
WITH chosen AS (
    SELECT app_id, day, platform, app_version, shard FROM landfall.version_rollup
     WHERE shard >= 0 AND day <= $1::timestamptz - interval '24 hours' ORDER BY day LIMIT $2
       FOR UPDATE SKIP LOCKED
), taken AS (
    DELETE FROM landfall.version_rollup AS known USING chosen
     WHERE known.app_id = chosen.app_id AND known.day = chosen.day AND known.platform = chosen.platform
       AND known.app_version = chosen.app_version AND known.shard = chosen.shard
    RETURNING known.*
), folded AS (
    INSERT INTO landfall.version_rollup AS known (
        app_id, day, platform, app_version, shard, reportable, arrived_named, arrived_unnamed
    )
    SELECT app_id, day, platform, app_version, -1, sum(reportable), sum(arrived_named), sum(arrived_unnamed)
      FROM taken
     GROUP BY app_id, day, platform, app_version
     ORDER BY app_id, day, platform, app_version
    ON CONFLICT (app_id, day, platform, app_version, shard) DO UPDATE SET
        reportable      = known.reportable + excluded.reportable,
        arrived_named   = known.arrived_named + excluded.arrived_named,
        arrived_unnamed = known.arrived_unnamed + excluded.arrived_unnamed
)
SELECT count(*) AS row_count FROM taken;
