-- Which findings of the app are muted? One row per finding. $1 app_id, $2 now
SELECT finding, until, muted_by, created_at
  FROM landfall.finding_mute
 WHERE app_id = $1 AND until > $2
 ORDER BY finding;
