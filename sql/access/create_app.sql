-- Creates an app. No row comes back when the slug is taken.
-- $1 slug, $2 now
INSERT INTO landfall.app (slug, created_at) VALUES ($1, $2)
ON CONFLICT (slug) DO NOTHING
RETURNING app_id, slug;
