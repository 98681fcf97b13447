-- Notes that some device of each app was heard from. The sweep refuses to work when nobody was for a day.
-- $1 app_id[], $2 now
INSERT INTO landfall.app_sign_of_life AS known (app_id, heard_at)
SELECT app_id, $2 FROM unnest($1::bigint[]) AS app (app_id) ORDER BY app_id
ON CONFLICT (app_id) DO UPDATE SET heard_at = excluded.heard_at
WHERE known.heard_at < excluded.heard_at - interval '1 minute';
