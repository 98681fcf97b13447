-- How many pushes were refused because their token is dead, and how many were clicked, lately and in the week before?
--
-- Parameters: $1 app, $2 from (inclusive) of the week before, $3 from (inclusive) and $4 to (exclusive) of lately, all at
--             quarter hours.
-- Grain: one row per platform and app version.

SELECT segment.platform, segment.app_version,
       coalesce(sum(rollup.attempted) FILTER (WHERE rollup.quarter >= $3), 0)::bigint           AS attempted,
       coalesce(sum(rollup.rejected_token_dead) FILTER (WHERE rollup.quarter >= $3), 0)::bigint AS dead,
       coalesce(sum(rollup.confirmed) FILTER (WHERE rollup.quarter >= $3), 0)::bigint           AS confirmed,
       coalesce(sum(rollup.clicked) FILTER (WHERE rollup.quarter >= $3), 0)::bigint             AS clicked,
       coalesce(sum(rollup.attempted) FILTER (WHERE rollup.quarter < $3), 0)::bigint            AS attempted_before,
       coalesce(sum(rollup.rejected_token_dead) FILTER (WHERE rollup.quarter < $3), 0)::bigint  AS dead_before,
       coalesce(sum(rollup.confirmed) FILTER (WHERE rollup.quarter < $3), 0)::bigint            AS confirmed_before,
       coalesce(sum(rollup.clicked) FILTER (WHERE rollup.quarter < $3), 0)::bigint              AS clicked_before
  FROM landfall.segment_rollup AS rollup
  JOIN landfall.segment ON segment.app_id = rollup.app_id AND segment.segment_id = rollup.segment_id
 WHERE rollup.app_id = $1
   AND rollup.quarter >= $2 AND rollup.quarter < $4
 GROUP BY segment.platform, segment.app_version
HAVING sum(rollup.attempted) > 0
 ORDER BY attempted DESC, segment.platform, segment.app_version;
