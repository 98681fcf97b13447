-- Does this window have any sketches?
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive).
-- Grain: one row.
SELECT EXISTS (
           SELECT 1
             FROM landfall.reach_sketch
            WHERE app_id = $1 AND quarters = 1 AND starts_at >= $2 AND starts_at < $3
       ) AS has_sketches;
