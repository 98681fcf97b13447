-- What are these answers in the provider's words?
--
-- Parameters: $1 answer ids.
-- Grain: one row per answer.

SELECT answer_id, provider, status, reason
  FROM landfall.provider_answer
 WHERE answer_id = ANY ($1);
