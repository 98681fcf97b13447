-- Which ids do these provider responses have? One row per response found, with its position.
-- $1 provider[], $2 status[], $3 reason[]
SELECT asked.position, provider_response.response_id
FROM unnest($1::text[], $2::integer[], $3::text[]) WITH ORDINALITY AS asked (provider, status, reason, position)
JOIN landfall.provider_response
  ON provider_response.provider = asked.provider
 AND provider_response.status = asked.status
 AND provider_response.reason = asked.reason;
