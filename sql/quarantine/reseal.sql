-- Sealing of quarantined items under another token key.

-- name: count_sealed
-- How many items do the quarantines of all apps hold?
SELECT count(*) AS item_count FROM landfall.quarantined_item;

-- name: next_sealed
-- The next items of a walk through all quarantines. $1 and $2 after this app_id and item_id, $3 limit
SELECT app_id, item_id, code, poster, preset, digest IS NOT NULL AS has_digest, sealed_text
FROM landfall.quarantined_item
WHERE (app_id, item_id) > ($1, $2)
ORDER BY app_id, item_id LIMIT $3;

-- name: reseal_items
-- Stores items sealed under another key. $1 app_id[], $2 item_id[], $3 digest[] (or null), $4 sealed_text[]
UPDATE landfall.quarantined_item AS item SET digest = resealed.digest, sealed_text = resealed.sealed_text
FROM unnest($1::bigint[], $2::bigint[], $3::bytea[], $4::bytea[]) AS resealed (app_id, item_id, digest, sealed_text)
WHERE item.app_id = resealed.app_id AND item.item_id = resealed.item_id;
