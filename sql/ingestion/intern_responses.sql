-- Gives ids to provider responses that have none yet. $1 provider[], $2 status[], $3 reason[], $4 outcome_class[]
INSERT INTO landfall.provider_response (provider, status, reason, outcome_class)
SELECT provider, status, reason, outcome_class
FROM unnest($1::text[], $2::integer[], $3::text[], $4::text[]) AS asked (provider, status, reason, outcome_class)
ORDER BY provider, status, reason
ON CONFLICT (provider, status, reason) DO NOTHING;
