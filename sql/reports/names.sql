-- Names of campaigns and responses, by id.

-- name: campaign_names
-- What are the names of these campaigns?
--
-- Parameters: $1 campaign ids.
-- Grain: one row per campaign and variant.

SELECT campaign_id, key, variant
  FROM landfall.campaign
 WHERE campaign_id = ANY ($1);

-- name: responses
-- In which words did providers reject pushes, and what is known about these responses?
--
-- Parameters: $1 response_ids.
-- Grain: one row per response.

SELECT known.response_id, known.provider, known.status, nullif(known.reason, '') AS reason,
       known.outcome_class AS rejection_class, coalesce(listed.retryable, 'no') AS retry,
       coalesce(listed.token_verdict, 'keep') AS token_verdict
  FROM landfall.provider_response AS known
  LEFT JOIN LATERAL landfall.listed_response(known.provider, known.status, known.reason) AS listed ON true
 WHERE known.response_id = ANY ($1::bigint[]);
