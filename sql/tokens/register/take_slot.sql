-- Gives a slot of an installation to a token.
-- $1 app_id, $2 installation_id, $3 kind, $4 environment, $5 topic, $6 token_id
INSERT INTO landfall.token_slot (app_id, installation_id, kind, environment, topic, token_id)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (installation_id, kind, environment, topic) DO UPDATE SET token_id = excluded.token_id;
