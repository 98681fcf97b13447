-- How many responses do these apps have for pushes that were sent within the past day? They are what the quotas of devices follow.
-- $1 app_id[], null for all apps; $2 from (inclusive) and $3 to (exclusive), at quarter hours; $4 the bit of attempted.
SELECT app.app_id,
       (SELECT coalesce(sum(counter.notifications), 0)::bigint
          FROM landfall.headline_by_quarter AS counter
         WHERE counter.app_id = app.app_id
           AND counter.quarter >= $2 AND counter.quarter < $3
           AND counter.state & $4 <> 0) AS responses
  FROM landfall.app
 WHERE $1::bigint[] IS NULL OR app.app_id = ANY ($1);
