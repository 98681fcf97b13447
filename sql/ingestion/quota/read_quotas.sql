-- How much of each kind may the devices of these apps use in an hour? As much as the app has responses for pushes that were sent
-- within the past day, and at least the floor.
-- $1 app_id[], $2 the floor of apps without a setting of their own, $3 from (inclusive) and $4 to (exclusive), at quarter hours;
-- $5 the bit of attempted.
SELECT app.app_id,
       greatest(coalesce((app.settings ->> 'device_quota')::bigint, $2),
                (SELECT coalesce(sum(counter.notifications), 0)::bigint
                   FROM landfall.headline_by_quarter AS counter
                  WHERE counter.app_id = app.app_id
                    AND counter.quarter >= $3 AND counter.quarter < $4
                    AND counter.state & $5 <> 0)) AS quota
  FROM landfall.app
 WHERE app.app_id = ANY ($1::bigint[]);
