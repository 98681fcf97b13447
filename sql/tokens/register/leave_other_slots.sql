-- Frees the other slots that a token held, in this installation or another.
-- $1 token_id, $2 installation_id, $3 kind, $4 environment, $5 topic of the slot it keeps
DELETE FROM landfall.token_slot
WHERE token_id = $1 AND NOT (installation_id = $2 AND kind = $3 AND environment = $4 AND topic = $5);
