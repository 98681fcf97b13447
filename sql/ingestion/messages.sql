-- Messages to many devices: the notifications that events about their tokens belong to, and the rows
-- that wait until a token's holder is known.

-- name: record_recipients
-- Which notifications do responses and receipts about these messages to these tokens belong to, and which
-- installations hold the tokens? One row per message and token; if none is known yet, the proposed one is
-- recorded. No holder while the message waits for one.
-- $1 message_id[], $2 token_id[], $3 app_id[], $4 proposed notification_id[], $5 sent_at[], $6
-- installation_id[], null while no app has registered the token, $7 whether only a receipt is known[]; one
-- element per message and token, sorted by key, so that concurrent batches lock rows in one order.
--
-- Known rows stay as they are but are locked, so that no other transaction moves a notification while its
-- events are being written. Only the date of a receipt gives way to that of the first response.
INSERT INTO landfall.message_recipient AS known
    (message_id, token_id, app_id, notification_id, sent_at, installation_id, is_provisional)
SELECT message_id, token_id, app_id, notification_id, sent_at, installation_id, is_provisional
FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::uuid[], $5::timestamptz[], $6::bigint[], $7::boolean[])
     AS posted (message_id, token_id, app_id, notification_id, sent_at, installation_id, is_provisional)
ON CONFLICT (message_id, token_id, app_id) DO UPDATE SET
    sent_at        = CASE WHEN known.is_provisional AND NOT excluded.is_provisional
                          THEN excluded.sent_at ELSE known.sent_at END,
    is_provisional = known.is_provisional AND excluded.is_provisional
RETURNING message_id, token_id, app_id, notification_id, installation_id;

-- name: find_claimable_tokens
-- Which tokens have waiting messages although an installation has registered them? One row per token, in
-- order of token_id.
-- $1 after this token_id, $2 limit
SELECT token.token_id
FROM landfall.token
WHERE token.installation_id IS NOT NULL
  AND token.token_id > $1
  AND EXISTS (SELECT FROM landfall.message_recipient AS waiting
              WHERE waiting.token_id = token.token_id
                AND waiting.app_id = token.app_id
                AND waiting.installation_id IS NULL)
ORDER BY token.token_id
LIMIT $2;

-- name: lock_waiting_messages
-- Which messages wait for the holders of these tokens and can now be given to them? Locks them until the
-- commit, in order of their key. One row per message and token, with its provisional notification and the
-- device that holds the token.
-- $1 token_id[], each once, $2 limit
--
-- Tokens without a holder are filtered out first: months of messages may wait for them. Messages also wait
-- for the tokens that were merged into these, because responses named their values under other addresses.
-- Messages of apps that are being moved continue to wait.
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
  ON installation.installation_id = held.installation_id
 AND installation.app_id IS NOT DISTINCT FROM held.app_id
WHERE waiting.installation_id IS NULL
  AND waiting.app_id <> ALL ({{moving_apps}})
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

-- name: address_messages
-- Records which notifications messages to tokens count as, now that the tokens' holders are known.
-- $1 message_id[] of locked rows, $2 token_id[], $3 app_id[], $4 notification_id[], $5 installation_id[]
UPDATE landfall.message_recipient AS known
SET notification_id = message.notification_id, installation_id = message.installation_id
FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::uuid[], $5::bigint[])
     AS message (message_id, token_id, app_id, notification_id, installation_id)
WHERE known.message_id = message.message_id
  AND known.token_id = message.token_id
  AND known.app_id = message.app_id;
