-- Which messages wait for the holders of these tokens and can now be given to them? Locks them until the commit, in order of
-- their key. One row per message and token, with its provisional notification and the device that holds the token.
-- $1 token_id[], each once, $2 limit
--
-- Tokens without a holder are filtered out first: months of messages may wait for them. Messages also wait for the tokens that were
-- merged into these, because responses named their values under other addresses.
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
  AND waiting.token_id = ANY (ARRAY(SELECT same.token_id
                                    FROM unnest($1::bigint[]) AS asked (token_id)
                                    CROSS JOIN LATERAL (
                                        SELECT token.fingerprint, token.app_id
                                        FROM landfall.token
                                        WHERE token.token_id = asked.token_id AND token.installation_id IS NOT NULL
                                        OFFSET 0
                                    ) AS holder
                                    CROSS JOIN LATERAL (
                                        SELECT token.token_id
                                        FROM landfall.token
                                        WHERE token.fingerprint = holder.fingerprint
                                          AND token.app_id = holder.app_id
                                          AND token.installation_id IS NOT NULL
                                        OFFSET 0
                                    ) AS same))
ORDER BY waiting.message_id, waiting.token_id, waiting.app_id
LIMIT $2
FOR UPDATE OF waiting;
