-- Verification of the counters of received items and of the accounts of quarantines.

-- name: recorded_intake_rollup
-- How many items were received, by verdict?
--
-- Grain: one row per app and hour (of receipt, UTC), for all apps, summed over shards.
SELECT app_id, hour, sum(received)::bigint AS received, sum(accepted)::bigint AS accepted,
       sum(duplicates)::bigint AS duplicates, sum(rejected)::bigint AS rejected
  FROM landfall.intake_rollup
 GROUP BY app_id, hour
 ORDER BY app_id, hour;

-- name: quarantine_books
-- Do the quarantines contain what their accounts say?
--
-- Grain: one row per app and poster that ever had a rejected item, by the accounts or the quarantine.
WITH book AS (
    SELECT app_id, poster, sum(kept) AS kept, sum(repeated) AS repeated,
           sum(kept - evicted - dropped - replayed) AS items, sum(kept_bytes - removed_bytes) AS bytes
      FROM landfall.quarantine_count GROUP BY app_id, poster
), stock AS (
    SELECT app_id, poster, count(*) AS items, sum(octet_length(sealed_text)) AS bytes
      FROM landfall.quarantined_item GROUP BY app_id, poster
)
SELECT app_id, poster, coalesce(book.kept + book.repeated, 0)::bigint AS rejected,
       coalesce(book.items, 0)::bigint AS items, coalesce(book.bytes, 0)::bigint AS bytes,
       coalesce(stock.items, 0)::bigint AS counted_items, coalesce(stock.bytes, 0)::bigint AS counted_bytes
  FROM book FULL JOIN stock USING (app_id, poster)
 ORDER BY app_id, poster;
