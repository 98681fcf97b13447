-- Which notifications do answers about these messages to these tokens belong to, and who holds the tokens? One row per message and
-- token; where nothing is known yet, what is proposed becomes known. No holder where the message waits for one.
-- $1 message_id[], $2 token_id[], $3 app_id[], $4 proposed notification_id[], $5 sent_at[], $6 installation_id[] or null while
-- nobody has registered the token; one element per message and token, sorted by key, so that concurrent batches lock rows in one order.
--
-- What was known stays as it is, and is locked all the same: nobody moves a notification whose events are being written.
INSERT INTO landfall.message_recipient AS known (message_id, token_id, app_id, notification_id, sent_at, installation_id)
SELECT message_id, token_id, app_id, notification_id, sent_at, installation_id
FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::uuid[], $5::timestamptz[], $6::bigint[])
     AS answer (message_id, token_id, app_id, notification_id, sent_at, installation_id)
ON CONFLICT (message_id, token_id, app_id) DO UPDATE SET notification_id = known.notification_id
RETURNING message_id, token_id, app_id, notification_id, installation_id;
