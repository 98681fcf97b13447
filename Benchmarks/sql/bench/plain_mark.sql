-- Marks stale tokens as a sweep does, in one plain statement, without ledger, batches or guards. One row: how
-- many.
-- $1 app_id, $2 silent since before this instant, $3 now
WITH changed AS (
    UPDATE landfall.token
    SET state = 'stale', cause = 'stale', state_changed_at = $3
    WHERE app_id = $1 AND state = 'active' AND last_sign_of_life_at < $2
    RETURNING 1
)
SELECT count(*) AS changed_count FROM changed;
