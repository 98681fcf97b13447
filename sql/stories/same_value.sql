-- Under which other environments and topics is the value of this token known?
--
-- Parameters: $1 app, $2 token_id.
-- Grain: one row per other token with the same fingerprint.

SELECT other.token_id
  FROM landfall.token
  JOIN landfall.token AS other
    ON other.fingerprint = token.fingerprint
   AND other.app_id = token.app_id
   AND other.token_id <> token.token_id
 WHERE token.token_id = $2
   AND token.app_id = $1;
