-- Notes that the app versions of these segments report arrivals; what is known stays as it is. An unknown version is none: what one
-- device of it reports says nothing of the others.
-- $1 app_id[], $2 segment_id[], $3 quarter[] in which the notifications were sent
INSERT INTO landfall.reporting_version (app_id, platform, app_version, first_reported_at)
SELECT segment.app_id, segment.platform, segment.app_version, min(reported.quarter)
FROM unnest($1::bigint[], $2::bigint[], $3::timestamptz[]) AS reported (app_id, segment_id, quarter)
JOIN landfall.segment ON segment.app_id = reported.app_id AND segment.segment_id = reported.segment_id
WHERE segment.app_version <> ''
GROUP BY segment.app_id, segment.platform, segment.app_version
-- Two writers must not wait for each other's versions.
ORDER BY segment.app_id, segment.platform, segment.app_version
ON CONFLICT (app_id, platform, app_version) DO NOTHING;
