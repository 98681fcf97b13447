-- Which notifications do responses about these messages to these tokens belong to, and which installations hold the tokens? One
-- row per message and token; if none is known yet, the proposed one is recorded. No holder while the message waits for one.
-- $1 message_id[], $2 token_id[], $3 app_id[], $4 proposed notification_id[], $5 sent_at[], $6 installation_id[], null while no
-- app has registered the token; one element per message and token, sorted by key, so that concurrent batches lock rows in one
-- order.
--
-- Known rows stay as they are but are locked, so that no other transaction moves a notification while its events are being
-- written.
INSERT INTO landfall.message_recipient AS known (message_id, token_id, app_id, notification_id, sent_at, installation_id)
SELECT message_id, token_id, app_id, notification_id, sent_at, installation_id
FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::uuid[], $5::timestamptz[], $6::bigint[])
     AS response (message_id, token_id, app_id, notification_id, sent_at, installation_id)
ON CONFLICT (message_id, token_id, app_id) DO UPDATE SET notification_id = known.notification_id
RETURNING message_id, token_id, app_id, notification_id, installation_id;
