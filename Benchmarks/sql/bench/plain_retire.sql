-- Retires stale tokens as a sweep does, in one plain statement, without ledger, batches or guards. One row:
-- how many.
-- $1 app_id, $2 stale since before this instant, $3 now
WITH changed AS (
    UPDATE landfall.token
    SET state = 'retired', cause = 'swept', sealed_value = NULL, state_changed_at = $3
    WHERE app_id = $1 AND state = 'stale' AND state_changed_at < $2
    RETURNING 1
)
SELECT count(*) AS changed_count FROM changed;
