-- Rejected items: kept, and evicted if a share exceeds its limits.

-- name: keep_items
-- Keeps rejected items with their text and the reason, and counts them.
-- $1 app_id[], $2 code[], $3 detail[], $4 poster[], $5 digest[], $6 sealed_text[], $7 how often each was
-- posted[]; each digest of an app once, sorted by app and digest, so that concurrent batches wait for each
-- other in one order; $8 now, $9 shard, $10 preset[]: null for the form of POST /v1/events.
--
-- An item that is already there is counted as repeated. DO NOTHING does not lock it, so a client that repeats
-- itself indefinitely blocks no other.
WITH item AS (
    SELECT * FROM unnest(
        $1::bigint[], $2::text[], $3::text[], $4::text[], $5::bytea[], $6::bytea[], $7::bigint[], $10::text[]
    ) AS item (app_id, code, detail, poster, digest, sealed_text, posted, preset)
), kept AS (
    INSERT INTO landfall.quarantined_item
        (app_id, received_at, code, detail, poster, digest, sealed_text, preset)
    SELECT app_id, $8, code, detail, poster, digest, sealed_text, preset FROM item
    ON CONFLICT (app_id, digest) DO NOTHING
    RETURNING app_id, poster, octet_length(sealed_text) AS bytes
), counted AS (
    SELECT app_id, poster, sum(kept) AS kept, sum(bytes) AS bytes, sum(posted) - sum(kept) AS repeated
      FROM (SELECT app_id, poster, 0 AS kept, 0 AS bytes, posted FROM item
            UNION ALL
            SELECT app_id, poster, 1, bytes, 0 FROM kept) AS entry
     GROUP BY app_id, poster
)
INSERT INTO landfall.quarantine_count AS known (app_id, poster, shard, kept, kept_bytes, repeated)
SELECT app_id, poster, $9, kept, bytes, repeated FROM counted ORDER BY app_id, poster
ON CONFLICT (app_id, poster, shard) DO UPDATE SET
    kept       = known.kept + excluded.kept,
    kept_bytes = known.kept_bytes + excluded.kept_bytes,
    repeated   = known.repeated + excluded.repeated;

-- name: read_totals
-- How full are the quarantines? One row per app and poster, from the accounts: a handful of rows, however
-- many items there are.
-- $1 app_id[], or null for all.
SELECT app_id, poster,
       sum(kept - evicted - dropped - replayed)::bigint AS items,
       sum(kept_bytes - removed_bytes)::bigint          AS bytes
  FROM landfall.quarantine_count
 WHERE $1::bigint[] IS NULL OR app_id = ANY ($1)
 GROUP BY app_id, poster
 ORDER BY app_id, poster;

-- name: evict_oldest
-- Removes the oldest items of a share that exceeds its limits, and counts them. One row: how many; 0 if the
-- app is being moved.
-- $1 app_id, $2 poster, $3 items and $4 bytes over the limit, $5 read at most this many, $6 shard
WITH oldest AS (
    SELECT app_id, item_id, octet_length(sealed_text) AS bytes
      FROM landfall.quarantined_item
     WHERE app_id = $1 AND poster = $2 AND app_id <> ALL ({{moving_apps}}) ORDER BY item_id LIMIT $5
), ranked AS (
    SELECT app_id, item_id,
           row_number() OVER (ORDER BY item_id)        AS place,
           sum(bytes) OVER (ORDER BY item_id) - bytes  AS bytes_before
      FROM oldest
), evicted AS (
    DELETE FROM landfall.quarantined_item AS item USING ranked
     WHERE item.app_id = ranked.app_id AND item.item_id = ranked.item_id AND (place <= $3 OR bytes_before < $4)
    RETURNING octet_length(item.sealed_text) AS bytes
), counted AS (
    INSERT INTO landfall.quarantine_count AS known (app_id, poster, shard, evicted, removed_bytes)
    SELECT $1, $2, $6, count(*), coalesce(sum(bytes), 0) FROM evicted
    ON CONFLICT (app_id, poster, shard) DO UPDATE SET
        evicted       = known.evicted + excluded.evicted,
        removed_bytes = known.removed_bytes + excluded.removed_bytes
)
SELECT count(*) AS evicted FROM evicted;
