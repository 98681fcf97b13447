-- What does the ledger say about these tokens, and how many transitions does it have of them?
--
-- Parameters: $1 app, $2 token_id[], $3 limit.
-- Grain: one row per transition, the newest first.

SELECT transition_id,
       token_id,
       at,
       from_state,
       to_state,
       rule,
       evidence::text AS evidence,
       run_id,
       count(*) OVER () AS transition_count
  FROM landfall.token_transition
 WHERE app_id = $1
   AND token_id = ANY ($2::bigint[])
 ORDER BY transition_id DESC
 LIMIT $3;
