-- How many events of the benchmark changed something, and how many are in quarantine? One row.
-- The benchmark posts one answer and at most one arrival per notification, so each event that changes a row adds
-- one to exactly one of these sums.
SELECT
    (SELECT coalesce(sum(attempted + arrived), 0) FROM landfall.delivery_rollup)::bigint
        + (SELECT coalesce(sum(unmatched), 0) FROM landfall.unmatched_rollup)::bigint AS accepted_count,
    (SELECT count(*) FROM landfall.quarantined_item)                                  AS rejected_count;
