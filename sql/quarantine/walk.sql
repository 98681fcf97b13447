-- A walk through a quarantine, which replays or drops its items.

-- name: last_item
-- At which item does a walk through a quarantine end? Items that come in later are not part of it. $1 app_id
SELECT coalesce(max(item_id), 0) AS item_id FROM landfall.quarantined_item WHERE app_id = $1;

-- name: next_items
-- The next items of a walk through a quarantine, the oldest first.
-- $1 app_id, $2 code[], $3 item_id[], $4 received from (inclusive), $5 received until (exclusive), $6 poster,
-- $7 preset; null: any;
-- $8 limit, $9 whether to return the texts, $10 after this item, $11 up to this one.
SELECT app_id, item_id, received_at, code, detail, poster, preset, CASE WHEN $9 THEN sealed_text END AS sealed_text
  FROM landfall.quarantined_item
 WHERE app_id = $1 AND item_id > $10 AND item_id <= $11 AND ($2::text[] IS NULL OR code = ANY ($2))
   AND ($3::bigint[] IS NULL OR item_id = ANY ($3)) AND ($4::timestamptz IS NULL OR received_at >= $4)
   AND ($5::timestamptz IS NULL OR received_at < $5) AND ($6::text IS NULL OR poster = $6)
   AND ($7::text IS NULL OR preset = $7)
 ORDER BY item_id LIMIT $8;

-- name: remove_items
-- Removes items from a quarantine, and counts them. One row: how many were still there.
-- $1 app_id, $2 item_id[], $3 whether they were replayed; otherwise they count as dropped.
WITH removed AS (
    DELETE FROM landfall.quarantined_item WHERE app_id = $1 AND item_id = ANY ($2::bigint[])
    RETURNING poster, octet_length(sealed_text) AS bytes
), counted AS (
    INSERT INTO landfall.quarantine_count AS known (app_id, poster, shard, dropped, replayed, removed_bytes)
    SELECT $1, poster, -1, CASE WHEN $3 THEN 0 ELSE count(*) END, CASE WHEN $3 THEN count(*) ELSE 0 END, sum(bytes)
      FROM removed GROUP BY poster ORDER BY poster
    ON CONFLICT (app_id, poster, shard) DO UPDATE SET
        dropped       = known.dropped + excluded.dropped,
        replayed      = known.replayed + excluded.replayed,
        removed_bytes = known.removed_bytes + excluded.removed_bytes
)
SELECT count(*) AS removed FROM removed;
