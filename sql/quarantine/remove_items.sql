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
