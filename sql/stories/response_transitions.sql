-- What did the response to a push do to its token?
--
-- Parameters: $1 app, $2 token_id, $3 when the push was sent, in milliseconds since 1970.
-- Grain: one row per transition whose evidence is that push, in the order in which they were written.

SELECT transition_id,
       token_id,
       at,
       from_state,
       to_state,
       rule,
       evidence::text AS evidence,
       run_id
  FROM landfall.token_transition
 WHERE app_id = $1
   AND token_id = $2
   AND (evidence ->> 'sent_at')::bigint = $3
 ORDER BY transition_id;
