-- Which tokens hold this slot of the installation, and when did each last register and return?
-- $1 installation_id, $2 kind, $3 environment, $4 topic
SELECT slot.token_id, token.state, token.last_registered_at, token.returned_at
FROM landfall.token_slot AS slot
JOIN landfall.token ON token.token_id = slot.token_id
WHERE slot.installation_id = $1 AND slot.kind = $2 AND slot.environment = $3 AND slot.topic = $4
ORDER BY slot.token_id;
