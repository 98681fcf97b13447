-- How many items were received since an hour, by verdict?
--
-- Parameters: $1 app, $2 the first hour (of receipt).
-- Grain: one row. The difference of two calls is what came in between.

SELECT coalesce(sum(received), 0)::bigint   AS received,
       coalesce(sum(accepted), 0)::bigint   AS accepted,
       coalesce(sum(duplicates), 0)::bigint AS duplicates,
       coalesce(sum(rejected), 0)::bigint   AS rejected
  FROM landfall.intake_rollup
 WHERE app_id = $1
   AND hour >= $2;
