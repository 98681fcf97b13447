-- Records which notifications messages to tokens count as, now that the tokens' holders are known.
-- $1 message_id[], $2 token_id[], $3 app_id[], $4 notification_id[], $5 installation_id[]; the rows must be locked
UPDATE landfall.message_recipient AS known
SET notification_id = message.notification_id, installation_id = message.installation_id
FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::uuid[], $5::bigint[])
     AS message (message_id, token_id, app_id, notification_id, installation_id)
WHERE known.message_id = message.message_id
  AND known.token_id = message.token_id
  AND known.app_id = message.app_id;
