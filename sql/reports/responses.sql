-- In which words did providers reject pushes, and what is known about these responses?
--
-- Parameters: $1 response_ids.
-- Grain: one row per response.

SELECT known.response_id, known.provider, known.status, nullif(known.reason, '') AS reason, known.outcome_class,
       listed.retryable, listed.token_verdict
  FROM landfall.provider_response AS known
  LEFT JOIN LATERAL landfall.listed_response(known.provider, known.status, known.reason) AS listed ON true
 WHERE known.response_id = ANY ($1::bigint[]);
