-- Frees the slots a token held in other installations.
-- $1 token_id, $2 installation_id that keeps it
DELETE FROM landfall.token_slot WHERE token_id = $1 AND installation_id <> $2;
