-- Creates an app. No row if the slug is taken.
-- $1 slug, $2 now
INSERT INTO landfall.app (slug, created_at) VALUES ($1, $2)
ON CONFLICT (slug) DO NOTHING
RETURNING app_id, slug;
