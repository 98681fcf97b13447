-- Folds one batch of the counters of versions that report into shard -1. How many rows went.
-- $1 days that ended before this instant, $2 at most so many rows.
--
-- Rows that a writer has in hand are left for the next time, so this waits for nobody. A writer that adds to a row while it
-- is being folded waits for the end of that and makes a new row: nothing is lost, and at every commit the sums are the same.
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
SELECT count(*) AS folded FROM taken;
