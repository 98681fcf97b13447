-- Annotations: notes of people about a time or a span, shown with the reports of their app.

-- name: add_annotation
-- Adds an annotation. $1 app_id, $2 at, $3 until, $4 text, $5 campaign, $6 created_by, $7 now
INSERT INTO landfall.annotation (app_id, at, until, text, campaign, created_by, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7)
RETURNING annotation_id AS id, at, until, text, campaign, created_by, created_at;

-- name: list_annotations
-- What is noted about a window? One row per annotation that touches it, by its time.
-- $1 app_id, $2 from (inclusive), $3 to (exclusive)
SELECT annotation_id AS id, at, until, text, campaign, created_by, created_at
FROM landfall.annotation
WHERE app_id = $1 AND at < $3 AND coalesce(until, at) >= $2
ORDER BY at, annotation_id;

-- name: remove_annotation
-- Removes an annotation. No row if the app has no such annotation.
-- $1 app_id, $2 annotation_id
DELETE FROM landfall.annotation WHERE app_id = $1 AND annotation_id = $2
RETURNING annotation_id AS id, at, until, text, campaign, created_by, created_at;
