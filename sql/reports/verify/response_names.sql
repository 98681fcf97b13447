-- What are these responses in the provider's words?
--
-- Parameters: $1 response ids.
-- Grain: one row per response.

SELECT response_id, provider, status, reason
  FROM landfall.provider_response
 WHERE response_id = ANY ($1);
