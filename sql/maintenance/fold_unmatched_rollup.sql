-- Folds one batch of the counters of notifications without a provider answer into slot -1. How many rows went.
-- $1 quarters before this instant, $2 at most so many rows.
--
-- Rows that a writer has in hand are left for the next time, so this waits for nobody. A writer that adds to a row while it
-- is being folded waits for the end of that and makes a new row: nothing is lost, and at every commit the sums are the same.
WITH chosen AS (
    SELECT app_id, quarter, slot FROM landfall.unmatched_rollup
     WHERE slot >= 0 AND quarter < $1 ORDER BY quarter LIMIT $2
       FOR UPDATE SKIP LOCKED
), taken AS (
    DELETE FROM landfall.unmatched_rollup AS known USING chosen
     WHERE known.app_id = chosen.app_id AND known.quarter = chosen.quarter AND known.slot = chosen.slot
    RETURNING known.*
), folded AS (
    INSERT INTO landfall.unmatched_rollup AS known (
        app_id, quarter, slot, unmatched, local
    )
    SELECT app_id, quarter, -1, sum(unmatched), sum(local)
      FROM taken GROUP BY app_id, quarter ORDER BY app_id, quarter
    ON CONFLICT (app_id, quarter, slot) DO UPDATE SET
        unmatched = known.unmatched + excluded.unmatched,
        local     = known.local + excluded.local
)
SELECT count(*) AS folded FROM taken;
