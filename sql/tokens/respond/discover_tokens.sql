-- Adds tokens that a response names and no app has registered, and records that in the ledger. One row per added token: its
-- address' position.
-- $1 app_id[], $2 provider[], $3 environment[], $4 topic[], $5 fingerprint[], $6 kind[], $7 sealed_value[], $8 now, $9 send time
-- of the first push whose response names it[]
WITH address AS MATERIALIZED (
    SELECT *
    FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bytea[], $6::text[], $7::bytea[], $9::timestamptz[])
         WITH ORDINALITY
         AS address (app_id, provider, environment, topic, fingerprint, kind, sealed_value, sent_at, position)
), discovered AS (
    INSERT INTO landfall.token (app_id, provider, environment, topic, fingerprint, kind, sealed_value, state,
                                first_seen_at, last_sign_of_life_at, state_changed_at)
    SELECT app_id, provider, environment, topic, fingerprint, kind, sealed_value, 'active', $8, $8, $8
    FROM address
    ORDER BY fingerprint, app_id, provider, environment, topic
    ON CONFLICT (fingerprint, app_id, provider, environment, topic) DO NOTHING
    RETURNING app_id, token_id, state, provider, environment, topic, fingerprint
), entry AS (
    -- Grouped instead of joined: a join would compare every token with every address.
    SELECT app_id, max(token_id) AS token_id, max(state) AS state, max(sent_at) AS sent_at, max(position) AS position
    FROM (SELECT fingerprint, app_id, provider, environment, topic, token_id, state, NULL::timestamptz AS sent_at,
                 NULL::bigint AS position
          FROM discovered
          UNION ALL
          SELECT fingerprint, app_id, provider, environment, topic, NULL, NULL, sent_at, position FROM address) AS part
    GROUP BY fingerprint, app_id, provider, environment, topic
), recorded AS (
    INSERT INTO landfall.token_transition (app_id, token_id, at, from_state, to_state, rule, evidence)
    SELECT app_id, token_id, $8, NULL, state, 'discovered',
           jsonb_strip_nulls(jsonb_build_object('sent_at', (extract(epoch FROM sent_at) * 1000)::bigint))
    FROM entry
    WHERE token_id IS NOT NULL
    ORDER BY token_id
)
SELECT token_id, position
FROM entry
WHERE token_id IS NOT NULL;
