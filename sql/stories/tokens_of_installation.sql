-- Which tokens does this installation hold, or did it hold last?
--
-- Parameters: $1 app, $2 installation, $3 limit.
-- Grain: one row per token, the newest first.

SELECT token_id
  FROM landfall.token
 WHERE app_id = $1
   AND installation_id = $2
 ORDER BY first_seen_at DESC, token_id DESC
 LIMIT $3;
