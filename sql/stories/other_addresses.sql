-- Which responses named this token under another address than the registered one?
--
-- Parameters: $1 app, $2 token_id.
-- Grain: one row per address, the most recently named first.

SELECT provider, environment, topic, last_said_at, response_count, last_accepted_at, last_rejected_at, last_status, last_reason
  FROM landfall.token_other_address
 WHERE app_id = $1
   AND token_id = $2
 ORDER BY last_said_at DESC, provider, environment, topic;
