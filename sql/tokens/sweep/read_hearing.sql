-- When did the app last hear from any device, and for how many days must its tokens be silent?
-- $1 app_id
SELECT known.heard_at,
       (app.settings ->> 'stale_after_days')::bigint AS stale_after_days,
       (app.settings ->> 'sweep_after_days')::bigint AS sweep_after_days
FROM landfall.app
LEFT JOIN landfall.app_sign_of_life AS known ON known.app_id = app.app_id
WHERE app.app_id = $1;
