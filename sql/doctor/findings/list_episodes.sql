-- What did the doctor find in the app since an instant? One row per episode that was open then or has opened since: the open ones
-- first, then the newest. $1 app_id, $2 since, $3 limit
SELECT finding_episode_id, finding, severity, sentence, opened_at, last_seen_at, resolved_at
  FROM landfall.finding_episode
 WHERE app_id = $1 AND (resolved_at IS NULL OR resolved_at > $2)
 ORDER BY resolved_at IS NOT NULL, opened_at DESC, finding_episode_id DESC
 LIMIT $3;
