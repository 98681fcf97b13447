-- Moves rows restored from another cluster's dump, whose transaction numbers are higher than this cluster's, before all future
-- rows of the feed. One row per app that had any.
WITH newest AS (
    SELECT app.app_id
    FROM landfall.app
    CROSS JOIN LATERAL (
        SELECT 1
        FROM landfall.token_transition AS transition
        WHERE transition.app_id = app.app_id
          AND transition.written_by >= pg_snapshot_xmax(pg_current_snapshot())
        LIMIT 1) AS foreign_row
), adopted AS (
    UPDATE landfall.token_transition AS transition
    SET written_by = pg_current_xact_id()
    FROM newest
    WHERE transition.app_id = newest.app_id
      AND transition.written_by >= pg_snapshot_xmax(pg_current_snapshot())
)
SELECT app_id FROM newest;
