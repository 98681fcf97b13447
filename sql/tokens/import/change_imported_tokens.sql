-- Writes an import's changes to known tokens, if each is still as the import read it, to the millisecond. One row per token
-- written. A sealed value means a registration: without one, the token only lost its slot.
-- $1 app_id, $2 token_id[]; as the import read them: $3 state[], $4 installation_id[], $5 last_registered_at[]; new values:
-- $6 topic[], $7 kind[], $8 sealed_value[], $9 installation_id[], $10 state[], $11 cause[], $12 last_registered_at[]; $13 now
-- OFFSET 0 hides from the planner that the app is the same for all rows, or it would read all of the app's tokens.
UPDATE landfall.token
SET topic                = change.topic,
    kind                 = change.kind,
    sealed_value         = coalesce(change.sealed_value, token.sealed_value),
    installation_id      = change.installation_id,
    state                = change.state,
    cause                = change.cause,
    successor_id         = CASE WHEN change.sealed_value IS NULL THEN token.successor_id END,
    first_rejected_at     = CASE WHEN change.sealed_value IS NULL THEN token.first_rejected_at END,
    last_rejected_at      = CASE WHEN change.sealed_value IS NULL THEN token.last_rejected_at END,
    is_vouched           = token.is_vouched OR change.sealed_value IS NOT NULL,
    last_registered_at   = change.last_registered_at,
    last_sign_of_life_at = greatest(token.last_sign_of_life_at, change.last_registered_at),
    state_changed_at     = CASE WHEN change.state = token.state THEN token.state_changed_at ELSE $13 END
FROM (SELECT $1::bigint AS app_id, line.*
      FROM unnest($2::bigint[], $3::text[], $4::bigint[], $5::timestamptz[], $6::text[], $7::text[], $8::bytea[],
                  $9::bigint[], $10::text[], $11::text[], $12::timestamptz[])
           AS line (token_id, state_before, installation_before, registered_before, topic, kind, sealed_value,
                    installation_id, state, cause, last_registered_at)
      OFFSET 0) AS change
WHERE token.token_id = change.token_id
  AND token.app_id = change.app_id
  AND token.state IS NOT DISTINCT FROM change.state_before
  AND token.installation_id IS NOT DISTINCT FROM change.installation_before
  AND date_trunc('milliseconds', token.last_registered_at) IS NOT DISTINCT FROM change.registered_before
RETURNING token.token_id;
