-- The next items of a walk through all quarantines. $1 and $2 after this app_id and item_id, $3 limit
SELECT app_id, item_id, code, poster, digest IS NOT NULL AS has_digest, sealed_text
FROM landfall.quarantined_item
WHERE (app_id, item_id) > ($1, $2)
ORDER BY app_id, item_id
LIMIT $3;
