-- Which slots do these installations have, or these tokens hold, and what is known of the token in each? One row per slot.
-- $1 app_id, $2 installation_id[], $3 token_id[]
-- OFFSET 0 keeps the planner from starting with all tokens of the app instead of the few slots.
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
CROSS JOIN LATERAL (
    SELECT known.*
    FROM landfall.token AS known
    WHERE known.token_id = slot.token_id AND known.app_id IS NOT DISTINCT FROM $1
    OFFSET 0
) AS token
ORDER BY token.token_id;
