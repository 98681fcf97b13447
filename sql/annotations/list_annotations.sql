-- What is noted about a window? One row per annotation that touches it, by its time.
-- $1 app_id, $2 from (inclusive), $3 to (exclusive)
SELECT annotation_id, at, until, text, campaign, created_by, created_at
FROM landfall.annotation
WHERE app_id = $1 AND at < $3 AND coalesce(until, at) >= $2
ORDER BY at, annotation_id;
