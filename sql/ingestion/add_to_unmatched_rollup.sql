-- Adds what a batch changed to the counters of notifications without a provider answer.
-- $1 app_id[], $2 quarter[], $3 slot, $4 unmatched[], $5 local[]; sorted by key.
INSERT INTO landfall.unmatched_rollup AS known (app_id, quarter, slot, unmatched, local)
SELECT app_id, quarter, $3, unmatched, local
FROM unnest($1::bigint[], $2::timestamptz[], $4::bigint[], $5::bigint[]) AS change (app_id, quarter, unmatched, local)
ON CONFLICT (app_id, quarter, slot) DO UPDATE SET
    unmatched = known.unmatched + excluded.unmatched,
    local     = known.local + excluded.local;
