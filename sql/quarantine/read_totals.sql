-- How full are the quarantines? One row per app and poster, from the accounts: a handful of rows, however many items there are.
-- $1 app_id[], or null for all.
SELECT app_id,
       poster,
       sum(kept - evicted - dropped - replayed)::bigint AS items,
       sum(kept_bytes - removed_bytes)::bigint          AS bytes
  FROM landfall.quarantine_count
 WHERE $1::bigint[] IS NULL OR app_id = ANY ($1)
 GROUP BY app_id, poster
 ORDER BY app_id, poster;
