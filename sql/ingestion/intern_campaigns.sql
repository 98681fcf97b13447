-- Gives ids to campaigns that have none yet. $1 app_id[], $2 key[], $3 variant[]
INSERT INTO landfall.campaign (app_id, key, variant)
SELECT app_id, key, variant
FROM unnest($1::bigint[], $2::text[], $3::text[]) AS asked (app_id, key, variant)
ORDER BY app_id, key, variant
ON CONFLICT (app_id, key, variant) DO NOTHING;
