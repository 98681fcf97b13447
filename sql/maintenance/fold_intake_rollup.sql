-- Moves one batch of rows of intake_rollup into shard -1. One row: how many.
-- $1 hours before this instant, $2 limit.
--
-- Rows that a writer is changing are skipped until the next run, so this waits for no writer. A writer that adds to a row while
-- it is being folded waits until that is done and inserts a new row: nothing is lost, and the sums are the same at every commit.
WITH chosen AS (
    SELECT app_id, hour, shard FROM landfall.intake_rollup
     WHERE shard >= 0 AND hour < $1 ORDER BY hour LIMIT $2
       FOR UPDATE SKIP LOCKED
), taken AS (
    DELETE FROM landfall.intake_rollup AS known USING chosen
     WHERE known.app_id = chosen.app_id AND known.hour = chosen.hour AND known.shard = chosen.shard
    RETURNING known.*
), folded AS (
    INSERT INTO landfall.intake_rollup AS known (
        app_id, hour, shard, received, accepted, duplicates, rejected
    )
    SELECT app_id, hour, -1, sum(received), sum(accepted), sum(duplicates), sum(rejected)
      FROM taken GROUP BY app_id, hour ORDER BY app_id, hour
    ON CONFLICT (app_id, hour, shard) DO UPDATE SET
        received   = known.received + excluded.received,
        accepted   = known.accepted + excluded.accepted,
        duplicates = known.duplicates + excluded.duplicates,
        rejected   = known.rejected + excluded.rejected
)
SELECT count(*) AS row_count FROM taken;
