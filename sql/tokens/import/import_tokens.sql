-- Adds tokens that a table names. One row per token added; fewer than given if another transaction added some first.
-- $1 app_id, $2 provider[], $3 environment[], $4 topic[], $5 fingerprint[], $6 kind[], $7 sealed_value[], $8 installation_id[],
-- $9 state[], $10 cause[], $11 first and $12 last registered at[], $13 now
INSERT INTO landfall.token (app_id, provider, environment, topic, fingerprint, kind, sealed_value, installation_id,
                            state, cause, first_seen_at, last_registered_at, last_sign_of_life_at, state_changed_at,
                            is_vouched)
SELECT $1, provider, environment, topic, fingerprint, kind, sealed_value, installation_id, state, cause,
       first_registered_at, last_registered_at, last_registered_at, $13, true
FROM unnest($2::text[], $3::text[], $4::text[], $5::bytea[], $6::text[], $7::bytea[], $8::bigint[], $9::text[],
            $10::text[], $11::timestamptz[], $12::timestamptz[])
     AS line (provider, environment, topic, fingerprint, kind, sealed_value, installation_id, state, cause,
              first_registered_at, last_registered_at)
ORDER BY fingerprint, provider, environment, topic
ON CONFLICT (fingerprint, app_id, provider, environment, topic) DO NOTHING
RETURNING token_id, provider, environment, topic, fingerprint;
