-- Which row of the app's ledger is the last behind which none can appear but in front of readers? No row without any.
-- $1 app_id
SELECT transition_id
FROM landfall.token_transition
WHERE app_id = $1 AND written_by < pg_snapshot_xmin(pg_current_snapshot())
ORDER BY written_by DESC, transition_id DESC
LIMIT 1;
