-- Which tokens have a fingerprint in this range? A prefix is the range from its zeros to its ones.
--
-- Parameters: $1 app[], $2 first and $3 last fingerprint, both included; $4 at most so many.
-- Grain: one row per token, by fingerprint.

SELECT app_id, token_id
  FROM landfall.token
 WHERE fingerprint BETWEEN $2 AND $3
   AND app_id = ANY ($1::bigint[])
 ORDER BY fingerprint, app_id, provider, environment, topic
 LIMIT $4;
