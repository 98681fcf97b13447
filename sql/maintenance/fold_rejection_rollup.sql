-- Folds one batch of the counters of rejections by answer into slot -1, and into the counters of UTC days with it. How many rows went.
-- $1 quarters before this instant, $2 at most so many rows.
--
-- Rows that a writer has in hand are left for the next time, so this waits for nobody. A writer that adds to a row while it
-- is being folded waits for the end of that and makes a new row: nothing is lost, and at every commit the sums are the same.
WITH chosen AS (
    SELECT app_id, quarter, campaign_id, segment_id, answer_id, slot FROM landfall.rejection_rollup
     WHERE slot >= 0 AND quarter < $1 ORDER BY quarter LIMIT $2
       FOR UPDATE SKIP LOCKED
), taken AS (
    DELETE FROM landfall.rejection_rollup AS known USING chosen
     WHERE known.app_id = chosen.app_id AND known.quarter = chosen.quarter AND known.campaign_id = chosen.campaign_id
       AND known.segment_id = chosen.segment_id AND known.answer_id = chosen.answer_id AND known.slot = chosen.slot
    RETURNING known.*
), folded AS (
    INSERT INTO landfall.rejection_rollup AS known (
        app_id, quarter, campaign_id, segment_id, answer_id, slot, rejected
    )
    SELECT app_id, quarter, campaign_id, segment_id, answer_id, -1, sum(rejected)
      FROM taken
     GROUP BY app_id, quarter, campaign_id, segment_id, answer_id
     ORDER BY app_id, quarter, campaign_id, segment_id, answer_id
    ON CONFLICT (app_id, quarter, campaign_id, segment_id, answer_id, slot) DO UPDATE SET
        rejected = known.rejected + excluded.rejected
), folded_by_day AS (
    INSERT INTO landfall.rejection_day_rollup AS known (
        app_id, day, campaign_id, segment_id, answer_id,
        rejected
    )
    SELECT app_id, date_trunc('day', quarter, 'UTC') AS day, campaign_id, segment_id, answer_id,
           sum(rejected)
      FROM taken
     GROUP BY app_id, day, campaign_id, segment_id, answer_id
     ORDER BY app_id, day, campaign_id, segment_id, answer_id
    ON CONFLICT (app_id, day, campaign_id, segment_id, answer_id) DO UPDATE SET
        rejected = known.rejected + excluded.rejected
)
SELECT count(*) AS folded FROM taken;
