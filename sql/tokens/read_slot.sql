-- Which token holds this slot of the installation?
-- $1 installation_id, $2 kind, $3 environment, $4 topic
SELECT token_id FROM landfall.token_slot
WHERE installation_id = $1 AND kind = $2 AND environment = $3 AND topic = $4;
