-- The contents of quarantines.

-- name: list_items
-- Which items are in quarantine? The newest first.
-- $1 app_id, $2 code[], $3 item_id[], $4 received from (inclusive), $5 received until (exclusive), $6 poster,
-- $7 preset; null: any;
-- $8 limit, $9 whether to return the texts.
SELECT app_id, item_id, received_at, code, detail, poster, preset, CASE WHEN $9 THEN sealed_text END AS sealed_text
  FROM landfall.quarantined_item
 WHERE app_id = $1 AND ($2::text[] IS NULL OR code = ANY ($2))
   AND ($3::bigint[] IS NULL OR item_id = ANY ($3)) AND ($4::timestamptz IS NULL OR received_at >= $4)
   AND ($5::timestamptz IS NULL OR received_at < $5) AND ($6::text IS NULL OR poster = $6)
   AND ($7::text IS NULL OR preset = $7)
 ORDER BY item_id DESC LIMIT $8;

-- name: summarize_items
-- How many items are in quarantine for which reason? One row per code, the most frequent first.
-- $1 app_id, $2 code[], $3 item_id[], $4 received from (inclusive), $5 to (exclusive), $6 poster, $7 preset;
-- null: any
SELECT code, count(*) AS items, sum(octet_length(sealed_text))::bigint AS bytes, min(received_at) AS oldest,
       max(received_at) AS newest
  FROM landfall.quarantined_item
 WHERE app_id = $1 AND ($2::text[] IS NULL OR code = ANY ($2))
   AND ($3::bigint[] IS NULL OR item_id = ANY ($3)) AND ($4::timestamptz IS NULL OR received_at >= $4)
   AND ($5::timestamptz IS NULL OR received_at < $5) AND ($6::text IS NULL OR poster = $6)
   AND ($7::text IS NULL OR preset = $7)
 GROUP BY code
 ORDER BY items DESC, code;

-- name: read_books
-- How many rejected items of an app were kept, repeated, evicted, dropped and replayed since its creation?
-- One row.
-- $1 app_id, $2 poster; null: both.
SELECT coalesce(sum(kept), 0)::bigint AS kept, coalesce(sum(repeated), 0)::bigint AS repeated,
       coalesce(sum(evicted), 0)::bigint AS evicted, coalesce(sum(dropped), 0)::bigint AS dropped,
       coalesce(sum(replayed), 0)::bigint AS replayed
  FROM landfall.quarantine_count WHERE app_id = $1 AND ($2::text IS NULL OR poster = $2);

-- name: sum_totals
-- How much do the quarantines of all apps contain, and how much was evicted so far? One row per kind of key.
SELECT poster, sum(kept - evicted - dropped - replayed)::bigint AS items, sum(evicted)::bigint AS evicted
  FROM landfall.quarantine_count
 GROUP BY poster
 ORDER BY poster;
