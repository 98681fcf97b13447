-- Quotas of what devices may add: the volume that they follow, and their use at all servers.

-- name: read_volumes
-- How many responses do these apps have for pushes that were sent within the past day? They are what the
-- quotas of devices follow.
-- $1 app_id[] (null: all), $2 from (inclusive) and $3 to (exclusive), at quarter hours; $4 bit of attempted
SELECT app.app_id,
       (SELECT coalesce(sum(counter.notifications), 0)::bigint
          FROM landfall.headline_by_quarter AS counter
         WHERE counter.app_id = app.app_id
           AND counter.quarter >= $2 AND counter.quarter < $3
           AND counter.state & $4 <> 0) AS responses
  FROM landfall.app
 WHERE $1::bigint[] IS NULL OR app.app_id = ANY ($1);

-- name: add_quota_use
-- Adds what devices used of their apps' quotas at one server. Returns what they used at all servers.
-- $1 app_id[], $2 hour[], $3 unmatched_events[], $4 new_installations[], $5 rejected_events[], $6
-- rejected_installations[],
-- $8 new_values[], $9 rejected_values[]: one element per app and hour (UTC), sorted, so that concurrent
-- servers lock rows in one order. $7 the time before which hours are removed. Leaves out apps that move.
WITH forgotten AS (
    DELETE FROM landfall.device_quota_use WHERE hour < $7
), added AS (
    INSERT INTO landfall.device_quota_use AS known (
        app_id, hour, unmatched_events, new_installations, rejected_events, rejected_installations, new_values,
        rejected_values
    )
    SELECT *
      FROM unnest($1::bigint[], $2::timestamptz[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $8::bigint[],
                  $9::bigint[]) AS used (app_id)
     WHERE app_id <> ALL ({{moving_apps}})
    ON CONFLICT (app_id, hour) DO UPDATE SET
        unmatched_events       = known.unmatched_events + excluded.unmatched_events,
        new_installations      = known.new_installations + excluded.new_installations,
        rejected_events        = known.rejected_events + excluded.rejected_events,
        rejected_installations = known.rejected_installations + excluded.rejected_installations,
        new_values             = known.new_values + excluded.new_values,
        rejected_values        = known.rejected_values + excluded.rejected_values
    RETURNING app_id, hour, unmatched_events, new_installations, new_values
)
SELECT app_id, hour, unmatched_events, new_installations, new_values FROM added;
