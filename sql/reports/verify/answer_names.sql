-- What are these responses in the provider's words?
--
-- Parameters: $1 response ids.
-- Grain: one row per response.

SELECT answer_id, provider, status, reason
  FROM landfall.provider_answer
 WHERE answer_id = ANY ($1);
