-- Which tokens have a fingerprint in this range? The range of a prefix is from its zeros to its ones.
--
-- Parameters: $1 app[], $2 first and $3 last fingerprint, both inclusive; $4 limit.
-- Grain: one row per token, in order of fingerprint.

SELECT app_id, token_id
  FROM landfall.token
 WHERE fingerprint BETWEEN $2 AND $3
   AND app_id = ANY ($1::bigint[])
 ORDER BY fingerprint, app_id, provider, environment, topic
 LIMIT $4;
