-- Removes an annotation. No row if the app has no such annotation.
-- $1 app_id, $2 annotation_id
DELETE FROM landfall.annotation WHERE app_id = $1 AND annotation_id = $2
RETURNING annotation_id, at, until, text, campaign, created_by, created_at;
