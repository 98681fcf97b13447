-- What did requests with device keys use of the app's hourly quotas, and what was beyond them?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at whole hours.
-- Grain: one row. `hours` counts those with rejections.
SELECT coalesce(sum(unmatched_events), 0)::bigint       AS unmatched_events,
       coalesce(sum(new_installations), 0)::bigint      AS new_installations,
       coalesce(sum(rejected_events), 0)::bigint        AS rejected_events,
       coalesce(sum(rejected_installations), 0)::bigint AS rejected_installations,
       coalesce(sum(rejected_values), 0)::bigint        AS rejected_values,
       count(*) FILTER (WHERE rejected_events + rejected_installations + rejected_values > 0) AS hours
  FROM landfall.device_quota_use
 WHERE app_id = $1 AND hour >= $2 AND hour < $3;
