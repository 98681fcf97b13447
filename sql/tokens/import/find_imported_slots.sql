-- Which slots do these installations have, or these tokens hold, and what is known of the token in each? One row per slot.
-- $1 app_id, $2 installation_id[], $3 token_id[]
-- died_at is null here: find_imported_tokens.sql returns it when the token's value is looked up.
SELECT slot.installation_id AS slot_installation_id, slot.kind AS slot_kind, slot.environment AS slot_environment,
       slot.topic AS slot_topic,
       token.token_id, token.provider, token.environment, token.topic, token.fingerprint, token.kind, token.state,
       token.cause, token.installation_id, token.last_registered_at, token.last_rejected_at,
       NULL::timestamptz AS died_at
FROM (SELECT installation_id, kind, environment, topic, token_id
      FROM landfall.token_slot WHERE installation_id = ANY ($2::bigint[])
      UNION
      SELECT installation_id, kind, environment, topic, token_id
      FROM landfall.token_slot WHERE token_id = ANY ($3::bigint[])) AS slot
JOIN landfall.token ON token.token_id = slot.token_id AND token.app_id = $1
ORDER BY token.token_id;
