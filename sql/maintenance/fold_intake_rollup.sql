-- Folds one batch of the counters of what came in into shard -1. How many rows went.
-- $1 hours before this instant, $2 at most so many rows.
--
-- Rows that a writer has in hand are left for the next time, so this waits for nobody. A writer that adds to a row while it
-- is being folded waits for the end of that and makes a new row: nothing is lost, and at every commit the sums are the same.
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
SELECT count(*) AS folded FROM taken;
