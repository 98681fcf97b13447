-- How many events of the benchmark changed something, and how many are in quarantine? One row. The benchmark
-- posts one response and at most one arrival and one click per notification, so each event that changes a row
-- adds one to exactly one of these sums.
SELECT (coalesce(sum(notifications) FILTER (WHERE measure.attempted), 0)
            + coalesce(sum(notifications) FILTER (WHERE measure.arrived), 0)
            + coalesce(sum(notifications) FILTER (WHERE measure.clicked), 0)
            + coalesce(sum(notifications) FILTER (WHERE NOT measure.attempted), 0))::bigint AS accepted_count,
       (SELECT count(*) FROM landfall.quarantined_item)                                     AS rejected_count
  FROM landfall.headline_by_quarter AS counter
 CROSS JOIN LATERAL landfall.measures(counter.state) AS measure;
