-- Adds an annotation. $1 app_id, $2 at, $3 until, $4 text, $5 campaign, $6 created_by, $7 now
INSERT INTO landfall.annotation (app_id, at, until, text, campaign, created_by, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7)
RETURNING annotation_id, at, until, text, campaign, created_by, created_at;
