-- Which of these apps does a token belong to?
--
-- Parameters: $1 app[], $2 token_id.
-- Grain: at most one row.

SELECT app_id, token_id
  FROM landfall.token
 WHERE token_id = $2
   AND app_id = ANY ($1::bigint[]);
