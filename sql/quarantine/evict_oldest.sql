-- Removes the oldest items of a share that exceeds its limits, and counts them. One row: how many.
-- $1 app_id, $2 poster, $3 items over the limit, $4 bytes over the limit, $5 read at most this many of the oldest, $6 shard
WITH oldest AS (
    SELECT app_id, item_id, octet_length(sealed_text) AS bytes
      FROM landfall.quarantined_item WHERE app_id = $1 AND poster = $2 ORDER BY item_id LIMIT $5
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
