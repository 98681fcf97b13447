-- Records when each app last heard from a device. The sweep refuses to run if that was over a day ago.
-- $1 app_id[], $2 instant[], sorted by app_id
INSERT INTO landfall.app_sign_of_life AS known (app_id, heard_at)
SELECT app_id, heard_at FROM unnest($1::bigint[], $2::timestamptz[]) AS app (app_id, heard_at)
ON CONFLICT (app_id) DO UPDATE SET heard_at = excluded.heard_at
WHERE known.heard_at < excluded.heard_at;
