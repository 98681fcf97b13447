-- Which notifications of these apps wait for an installation to register their token? One row per message and
-- token.
-- $1 app_id[]
SELECT app_id, message_id, notification_id
  FROM landfall.message_recipient
 WHERE app_id = ANY ($1::bigint[])
   AND installation_id IS NULL;
