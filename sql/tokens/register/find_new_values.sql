-- Which of these values does the app not know? Their numbers, counted from 1.
-- $1 app_id, $2 fingerprint[]
-- OFFSET 0 makes the planner look up each value in the index, however many it expects.
SELECT asked.position
FROM unnest($2::bytea[]) WITH ORDINALITY AS asked (fingerprint, position)
LEFT JOIN LATERAL (
    SELECT token.fingerprint
    FROM landfall.token
    WHERE token.fingerprint = asked.fingerprint AND token.app_id = $1
    LIMIT 1
    OFFSET 0
) AS known ON true
WHERE known.fingerprint IS NULL
ORDER BY asked.position;
