-- Findings of the doctor: episodes, from the first examination that reports one, and mutes.

-- name: record_findings
-- Records what an examination of an app found: opens an episode for each finding that has none open, and
-- updates the open ones.
-- $1 app_id, $2 finding[], $3 severity[], $4 sentence[], $5 now; each finding once
INSERT INTO landfall.finding_episode AS known (app_id, finding, severity, sentence, opened_at, last_seen_at)
SELECT $1, finding, severity, sentence, $5, $5
  FROM unnest($2::text[], $3::text[], $4::text[]) AS found (finding, severity, sentence)
 -- In one order, so that two writers cannot deadlock.
 ORDER BY finding
ON CONFLICT (app_id, finding) WHERE resolved_at IS NULL DO UPDATE SET
    severity = CASE WHEN 'problem' IN (known.severity, excluded.severity) THEN 'problem' ELSE 'warning' END,
    sentence = excluded.sentence,
    last_seen_at = greatest(known.last_seen_at, excluded.last_seen_at);

-- name: resolve_findings
-- Ends an app's open episodes that an examination did not report. $1 app_id, $2 reported finding[], $3 now
UPDATE landfall.finding_episode
   SET resolved_at = greatest($3, last_seen_at)
 WHERE app_id = $1 AND resolved_at IS NULL AND finding <> ALL ($2::text[]);

-- name: list_episodes
-- What did the doctor find in the app since an instant? One row per episode that was open then or has opened
-- since: the open ones first, then the newest. $1 app_id, $2 since, $3 limit
SELECT finding_episode_id AS id, finding, severity, sentence, opened_at, last_seen_at, resolved_at
  FROM landfall.finding_episode
 WHERE app_id = $1 AND (resolved_at IS NULL OR resolved_at > $2)
 ORDER BY resolved_at IS NOT NULL, opened_at DESC, finding_episode_id DESC
 LIMIT $3;

-- name: remove_old_episodes
-- Removes episodes that ended before an instant. $1 at
DELETE FROM landfall.finding_episode WHERE resolved_at < $1;

-- name: mute_finding
-- Mutes a finding of an app; replaces an earlier mute. $1 app_id, $2 finding, $3 until, $4 muted_by, $5 now
INSERT INTO landfall.finding_mute (app_id, finding, until, muted_by, created_at)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (app_id, finding) DO UPDATE SET
    until = excluded.until, muted_by = excluded.muted_by, created_at = excluded.created_at;

-- name: list_mutes
-- Which findings of the app are muted? One row per finding. $1 app_id, $2 now
SELECT finding, until, muted_by, created_at
  FROM landfall.finding_mute
 WHERE app_id = $1 AND until > $2
 ORDER BY finding;

-- name: unmute_finding
-- Ends the mute of a finding. No row if the finding is not muted. $1 app_id, $2 finding
DELETE FROM landfall.finding_mute WHERE app_id = $1 AND finding = $2 RETURNING finding;

-- name: remove_expired_mutes
-- Removes mutes that ended before an instant. $1 at
DELETE FROM landfall.finding_mute WHERE until < $1;
