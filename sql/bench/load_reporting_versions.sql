-- Notes which versions the loaded arrivals are of. $1 app_id, $2 when the first one was sent
INSERT INTO landfall.reporting_version (app_id, platform, app_version, first_reported_at)
SELECT DISTINCT app_id, platform, app_version, $2
FROM landfall.segment
WHERE app_id = $1
ON CONFLICT (app_id, platform, app_version) DO NOTHING;
