-- Which token holds this slot of the installation, and when did it last register?
-- $1 installation_id, $2 kind, $3 environment, $4 topic
SELECT slot.token_id, token.last_registered_at
FROM landfall.token_slot AS slot
JOIN landfall.token ON token.token_id = slot.token_id
WHERE slot.installation_id = $1 AND slot.kind = $2 AND slot.environment = $3 AND slot.topic = $4;
