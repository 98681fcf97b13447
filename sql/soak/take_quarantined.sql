-- What do these apps have in quarantine? One row per app and code. It is taken out: the next ones must not search all of it.
-- $1 app_id[]
WITH taken AS (
    DELETE FROM landfall.quarantined_item WHERE app_id = ANY ($1::bigint[]) RETURNING app_id, code
)
SELECT app_id, code, count(*) AS items FROM taken GROUP BY app_id, code;
