-- Which of these texts are values of tokens of their app? One row per such text, its position.
-- $1 app_id[], $2 fingerprint[]
SELECT asked.position
FROM unnest($1::bigint[], $2::bytea[]) WITH ORDINALITY AS asked (app_id, fingerprint, position)
CROSS JOIN LATERAL (SELECT token.token_id
                    FROM landfall.token
                    WHERE token.fingerprint = asked.fingerprint
                      AND token.app_id = asked.app_id
                    LIMIT 1) AS known;
