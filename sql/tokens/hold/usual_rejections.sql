-- How many pushes of these apps were rejected because the token is dead or suspect? One row per app, with its position.
-- $1 app_id[], $2 from (inclusive) and $3 to (exclusive), both at quarter hours
SELECT asked.position, counted.attempted, counted.rejected
FROM unnest($1::bigint[]) WITH ORDINALITY AS asked (app_id, position)
CROSS JOIN LATERAL (
    SELECT coalesce(sum(notifications) FILTER (WHERE measure.attempted), 0)::bigint AS attempted,
           coalesce(sum(notifications) FILTER (WHERE measure.rejected_token_dead OR measure.rejected_token_suspect), 0)::bigint
               AS rejected
    FROM landfall.headline_by_quarter AS counter
    CROSS JOIN LATERAL landfall.measures(counter.state) AS measure
    WHERE app_id = asked.app_id AND quarter >= $2 AND quarter < $3
) AS counted;
