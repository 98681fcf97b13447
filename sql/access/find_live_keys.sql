-- Which of these digests belong to bearer keys that are not revoked?
-- $1 digest[]
-- OFFSET 0 makes the planner look up each digest in the index, however many it expects.
SELECT asked.digest
FROM unnest($1::bytea[]) AS asked (digest)
CROSS JOIN LATERAL (
    SELECT 1
    FROM landfall.api_key
    WHERE api_key.digest = asked.digest AND api_key.revoked_at IS NULL AND api_key.sealed_key IS NULL
    OFFSET 0
) AS known;
