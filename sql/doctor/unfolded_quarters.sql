-- How many quarter hours has maintenance still to fold, and when did it last run?
--
-- Parameters: $1 app, $2 before (exclusive), at a quarter hour.
-- Grain: one row. Late events add unfolded rows to old quarter hours until the next maintenance. maintained_at is null before the
-- first maintenance; created_at is when the database got its schema.

SELECT unfolded.quarters, unfolded.oldest,
       (SELECT to_timestamp(convert_from(value, 'UTF8')::bigint / 1000.0)
          FROM landfall.setting
         WHERE name = 'maintained_at') AS maintained_at,
       (SELECT min(applied_at) FROM landfall.schema_migration) AS created_at
  FROM (SELECT count(DISTINCT quarter) AS quarters, min(quarter) AS oldest
          FROM landfall.counter_live
         WHERE app_id = $1
           AND quarter < $2) AS unfolded;
