-- Stores the size of an app's audience. $1 app, $2 size, $3 now
INSERT INTO landfall.audience_count (app_id, audience, counted_at) VALUES ($1, $2, $3)
ON CONFLICT (app_id) DO UPDATE SET audience = excluded.audience, counted_at = excluded.counted_at;
