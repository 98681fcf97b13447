-- Do the quarantines contain what their accounts say?
--
-- Grain: one row per app that ever had a rejected item, according to the accounts or the quarantine.
WITH book AS (
    SELECT app_id, sum(kept) AS kept, sum(repeated) AS repeated,
           sum(kept - evicted - dropped - replayed) AS items, sum(kept_bytes - removed_bytes) AS bytes
      FROM landfall.quarantine_count GROUP BY app_id
), stock AS (
    SELECT app_id, count(*) AS items, sum(octet_length(sealed_text)) AS bytes
      FROM landfall.quarantined_item GROUP BY app_id
)
SELECT app_id,
       coalesce(book.kept + book.repeated, 0)::bigint   AS rejected,
       coalesce(book.items, 0)::bigint                  AS items,
       coalesce(book.bytes, 0)::bigint                  AS bytes,
       coalesce(stock.items, 0)::bigint                 AS counted_items,
       coalesce(stock.bytes, 0)::bigint                 AS counted_bytes
  FROM book FULL JOIN stock USING (app_id)
 ORDER BY app_id;
