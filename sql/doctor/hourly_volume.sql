-- What came in, by the hour?
--
-- Parameters: $1 app; spans that do not overlap: $2 from[] (inclusive) and $3 to[] (exclusive), all at quarter hours.
-- Grain: one row per hour (UTC) with anything in it. By the hour of sending, but for `received`, which counts posted items by
-- the hour in which they came in.

WITH span AS (
    SELECT from_at, to_at
      FROM unnest($2::timestamptz[], $3::timestamptz[]) AS asked (from_at, to_at)
), volume AS (
    SELECT rollup.quarter AS at, rollup.attempted, rollup.accepted, rollup.arrived,
           rollup.responded_reportable AS responded,
           0::bigint AS unmatched, 0::bigint AS received
      FROM span
      JOIN landfall.delivery_rollup AS rollup
        ON rollup.app_id = $1 AND rollup.quarter >= span.from_at AND rollup.quarter < span.to_at
    UNION ALL
    SELECT rollup.quarter, 0, 0, 0, 0, rollup.unmatched, 0
      FROM span
      JOIN landfall.unmatched_rollup AS rollup
        ON rollup.app_id = $1 AND rollup.quarter >= span.from_at AND rollup.quarter < span.to_at
    UNION ALL
    SELECT intake.hour, 0, 0, 0, 0, 0, intake.received
      FROM span
      JOIN landfall.intake_rollup AS intake
        ON intake.app_id = $1 AND intake.hour >= span.from_at AND intake.hour < span.to_at
)
SELECT date_trunc('hour', at, 'UTC') AS hour,
       sum(attempted)::bigint AS attempted,
       sum(accepted)::bigint  AS accepted,
       sum(arrived)::bigint   AS arrived,
       sum(responded)::bigint AS responded,
       sum(unmatched)::bigint AS unmatched,
       sum(received)::bigint  AS received
  FROM volume
 GROUP BY date_trunc('hour', at, 'UTC')
 ORDER BY hour;
