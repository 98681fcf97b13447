-- Gives a token that was first seen without a topic the topic it was registered under.
-- $1 token_id, $2 topic
UPDATE landfall.token SET topic = $2 WHERE token_id = $1 AND topic = '';
