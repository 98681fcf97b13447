-- Ends the open episodes of an app whose findings an examination did not report. $1 app_id, $2 reported finding[], $3 now
UPDATE landfall.finding_episode
   SET resolved_at = greatest($3, last_seen_at)
 WHERE app_id = $1 AND resolved_at IS NULL AND finding <> ALL ($2::text[]);
