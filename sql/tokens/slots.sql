-- Slots: an installation's places for its tokens, one for each kind and address.

-- The kind of the slot that a token takes (TokenKind.slotKind).
-- part: slot_kind
CASE $1.kind WHEN 'fid' THEN 'fcm' ELSE $1.kind END

-- name: read_slot
-- Which tokens hold this slot of the installation, of which kind, and when did each last register and return?
-- $1 installation_id, $2 kind, $3 environment, $4 topic
SELECT slot.token_id, token.kind, token.state, token.last_registered_at, token.returned_at
FROM landfall.token_slot AS slot
JOIN landfall.token ON token.token_id = slot.token_id
WHERE slot.installation_id = $1 AND slot.kind = $2 AND slot.environment = $3 AND slot.topic = $4
ORDER BY slot.token_id;

-- name: take_slots
-- Gives slots of installations to tokens.
-- $1 app_id, $2 installation_id[], $3 kind[], $4 environment[], $5 topic[], $6 token_id[]
INSERT INTO landfall.token_slot (app_id, installation_id, kind, environment, topic, token_id)
SELECT $1, installation_id, kind, environment, topic, token_id
FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::bigint[])
     AS slot (installation_id, kind, environment, topic, token_id)
ORDER BY installation_id, kind, environment, topic, token_id
ON CONFLICT (installation_id, kind, environment, topic, token_id) DO NOTHING;

-- name: leave_slots
-- Frees the slots that these tokens held. $1 app_id, $2 token_id[]
DELETE FROM landfall.token_slot WHERE token_id = ANY ($2::bigint[]) AND app_id = $1;

-- name: leave_other_slots
-- Frees the other slots that a token held, in this installation or another.
-- $1 token_id, $2 installation_id, $3 kind, $4 environment, $5 topic of the slot it keeps
DELETE FROM landfall.token_slot
WHERE token_id = $1 AND NOT (installation_id = $2 AND kind = $3 AND environment = $4 AND topic = $5);

-- name: retire_token
-- Retires one token of an installation. No row if the token now belongs to another installation or is already
-- retired.
-- $1 token_id, $2 installation_id, $3 cause, $4 successor_id, $5 now
UPDATE landfall.token AS retiring
SET state = 'retired', cause = $3, successor_id = $4, state_changed_at = $5
FROM landfall.token AS before
WHERE retiring.token_id = $1 AND before.token_id = retiring.token_id AND retiring.installation_id = $2
  AND retiring.state <> 'retired'
RETURNING before.state;
