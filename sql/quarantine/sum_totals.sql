-- How much do the quarantines of all apps contain, and how much was evicted so far? One row per kind of key.
SELECT poster, sum(kept - evicted - dropped - replayed)::bigint AS items, sum(evicted)::bigint AS evicted
  FROM landfall.quarantine_count
 GROUP BY poster
 ORDER BY poster;
