-- Which messages wait for the holders of these tokens, now that there are some? Locks them until the commit, in the order of their
-- key. One row per message and token, with its provisional notification and the device it was for.
-- $1 token_id[], each once, $2 at most so many
-- First the tokens that somebody holds: of those that nobody does, months of messages may wait.
SELECT waiting.message_id, waiting.token_id, waiting.app_id, waiting.notification_id, waiting.sent_at,
       installation.installation_id, installation.device_id
FROM landfall.message_recipient AS waiting
CROSS JOIN LATERAL (
    SELECT token.installation_id, token.app_id
    FROM landfall.token
    WHERE token.token_id = waiting.token_id AND token.app_id = waiting.app_id AND token.installation_id IS NOT NULL
    OFFSET 0
) AS held
JOIN landfall.installation
  ON installation.installation_id = held.installation_id AND installation.app_id = held.app_id
WHERE waiting.installation_id IS NULL
  AND waiting.token_id = ANY (ARRAY(SELECT token.token_id
                                    FROM unnest($1::bigint[]) AS asked (token_id)
                                    JOIN landfall.token ON token.token_id = asked.token_id
                                    WHERE token.installation_id IS NOT NULL))
ORDER BY waiting.message_id, waiting.token_id, waiting.app_id
LIMIT $2
FOR UPDATE OF waiting;
