-- Creates apps for token histories. One row per app.
-- $1 slug[], $2 settings (JSON text)[], $3 now
INSERT INTO landfall.app (slug, settings, created_at)
SELECT slug, settings::jsonb, $3
FROM unnest($1::text[], $2::text[]) AS app (slug, settings)
RETURNING app_id, slug;
