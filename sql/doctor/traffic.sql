-- Diagnoses of traffic: the volume of each hour, and device events that match no push.

-- name: hourly_volume
-- How much was sent and received in each hour?
--
-- Parameters: $1 app; spans that do not overlap: $2 from[] (inclusive) and $3 to[] (exclusive), all at
-- quarter hours;
--             $4 the bit of notifications that the app showed by itself.
-- Grain: one row per hour (UTC) with any volume, by the hour of sending; `received` counts posted items by
-- the hour in which they came in.

WITH span AS (
    SELECT from_at, to_at
      FROM unnest($2::timestamptz[], $3::timestamptz[]) AS asked (from_at, to_at)
), volume AS (
    SELECT counter.quarter AS at, counter.state, counter.notifications, 0::bigint AS received
      FROM span
      JOIN landfall.headline_by_quarter AS counter
        ON counter.app_id = $1 AND counter.quarter >= span.from_at AND counter.quarter < span.to_at
    UNION ALL
    SELECT intake.hour, 0, 0, intake.received
      FROM span
      JOIN landfall.intake_rollup AS intake
        ON intake.app_id = $1 AND intake.hour >= span.from_at AND intake.hour < span.to_at
)
SELECT date_trunc('hour', at, 'UTC') AS hour,
       coalesce(sum(notifications) FILTER (WHERE measure.attempted), 0)::bigint            AS attempted,
       coalesce(sum(notifications) FILTER (WHERE measure.accepted), 0)::bigint             AS accepted,
       coalesce(sum(notifications) FILTER (WHERE measure.arrived), 0)::bigint              AS arrived,
       coalesce(sum(notifications) FILTER (WHERE measure.responded_reportable), 0)::bigint AS responded,
       coalesce(sum(notifications) FILTER (WHERE NOT measure.attempted AND state & $4 = 0), 0)::bigint AS unmatched,
       sum(received)::bigint AS received
  FROM volume
 CROSS JOIN LATERAL landfall.measures(volume.state) AS measure
 GROUP BY date_trunc('hour', at, 'UTC')
 ORDER BY hour;

-- name: unmatched
-- How many notifications have device events but no provider response, and how many have a response?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours, $4 the bit of
--             notifications that the app showed by itself.
-- Grain: one row.

SELECT coalesce(sum(notifications) FILTER (WHERE NOT measure.attempted AND state & $4 = 0), 0)::bigint AS unmatched,
       coalesce(sum(notifications) FILTER (WHERE measure.attempted), 0)::bigint                         AS attempted
  FROM landfall.headline_by_quarter AS counter
 CROSS JOIN LATERAL landfall.measures(counter.state) AS measure
 WHERE app_id = $1 AND quarter >= $2 AND quarter < $3;

-- name: misdirected
-- How many of the notifications that devices reported did another installation report than the push went to?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours.
-- Grain: one row.

SELECT coalesce(sum(notifications) FILTER (WHERE measure.misdirected), 0)::bigint AS misdirected,
       coalesce(sum(notifications) FILTER (WHERE measure.misdirected OR measure.confirmed OR measure.contradicted), 0)::bigint AS reported
  FROM landfall.headline_by_quarter AS counter
 CROSS JOIN LATERAL landfall.measures(counter.state) AS measure
 WHERE app_id = $1 AND quarter >= $2 AND quarter < $3;
