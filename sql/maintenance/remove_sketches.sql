-- Deletes one batch of sketches. One row: how many.
-- $1 of spans that began before this instant, $2 limit.
WITH old AS (
    SELECT sketch.app_id, sketch.quarters, sketch.starts_at, sketch.campaign_id
      FROM landfall.app
     CROSS JOIN (VALUES (1), (4), (16), (96)) AS level (quarters)
      JOIN landfall.reach_sketch AS sketch ON sketch.app_id = app.app_id AND sketch.quarters = level.quarters
     WHERE sketch.starts_at < $1
     LIMIT $2
), removed AS (
    DELETE FROM landfall.reach_sketch AS known USING old
     WHERE known.app_id = old.app_id AND known.quarters = old.quarters AND known.starts_at = old.starts_at
       AND known.campaign_id = old.campaign_id
    RETURNING 1
)
SELECT count(*) AS row_count FROM removed;
