-- Stores items sealed under another key. $1 app_id[], $2 item_id[], $3 digest[], null if there is none, $4 sealed_text[]
UPDATE landfall.quarantined_item AS item SET digest = resealed.digest, sealed_text = resealed.sealed_text
FROM unnest($1::bigint[], $2::bigint[], $3::bytea[], $4::bytea[]) AS resealed (app_id, item_id, digest, sealed_text)
WHERE item.app_id = resealed.app_id AND item.item_id = resealed.item_id;
