-- How many items do the quarantines of these apps hold? One row per app and code.
-- $1 app_id[]
SELECT app_id, code, count(*) AS items
FROM landfall.quarantined_item
WHERE app_id = ANY ($1::bigint[])
GROUP BY app_id, code;
