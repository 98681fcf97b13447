-- How many installations said in each period that the system gave their app no token? One row per period, and one with a null period
-- for all of them together, in which each installation counts once.
-- $1 app_id, $2 bounds of the periods[], ascending: period n starts at the nth and ends before the next, $3 only what was reported
-- before this instant
SELECT width_bucket(failed_at, $2::timestamptz[]) AS period, count(DISTINCT installation_id) AS installations
FROM landfall.registration_failure
WHERE app_id = $1
  AND day > ($2::timestamptz[])[1] - interval '24 hours'
  AND failed_at >= ($2::timestamptz[])[1]
  AND failed_at < least(($2::timestamptz[])[array_upper($2::timestamptz[], 1)], $3)
GROUP BY GROUPING SETS ((1), ());
