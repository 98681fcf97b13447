-- Gives slots of installations to tokens.
-- $1 app_id, $2 installation_id[], $3 kind[], $4 environment[], $5 topic[], $6 token_id[]
INSERT INTO landfall.token_slot (app_id, installation_id, kind, environment, topic, token_id)
SELECT $1, installation_id, kind, environment, topic, token_id
FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::bigint[])
     AS slot (installation_id, kind, environment, topic, token_id)
ORDER BY installation_id, kind, environment, topic, token_id
ON CONFLICT (installation_id, kind, environment, topic, token_id) DO NOTHING;
