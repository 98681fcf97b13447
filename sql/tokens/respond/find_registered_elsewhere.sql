-- Which of these unregistered tokens have a value that an app has registered under another topic, environment or provider? One
-- row per token.
-- $1 token_id[]
SELECT token.token_id
FROM unnest($1::bigint[]) AS asked (token_id)
JOIN landfall.token ON token.token_id = asked.token_id
WHERE EXISTS (SELECT 1
              FROM landfall.token AS known
              WHERE known.fingerprint = token.fingerprint
                AND known.app_id = token.app_id
                AND known.token_id <> token.token_id
                AND known.installation_id IS NOT NULL);
