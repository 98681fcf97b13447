-- Notes which versions of the app have reported arrivals. $1 app_id
INSERT INTO landfall.reporting_version (app_id, platform, app_version, first_reported_at)
SELECT segment.app_id, segment.platform, segment.app_version, min(rollup.quarter)
FROM landfall.segment_rollup AS rollup
JOIN landfall.segment ON segment.app_id = rollup.app_id AND segment.segment_id = rollup.segment_id
WHERE rollup.app_id = $1 AND rollup.arrived_reportable > 0
GROUP BY 1, 2, 3
ON CONFLICT (app_id, platform, app_version) DO NOTHING;
