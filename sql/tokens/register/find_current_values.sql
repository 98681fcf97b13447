-- Does this installation have tokens, and does the request name the value of one of them?
-- $1 installation_id, $2 fingerprint[]
SELECT count(*) > 0 AS has_tokens, coalesce(bool_or(token.fingerprint = ANY ($2)), false) AS names_one
FROM landfall.token_slot AS slot
JOIN landfall.token ON token.token_id = slot.token_id
WHERE slot.installation_id = $1;
