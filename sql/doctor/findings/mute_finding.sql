-- Mutes a finding of an app; replaces an earlier mute. $1 app_id, $2 finding, $3 until, $4 muted_by, $5 now
INSERT INTO landfall.finding_mute (app_id, finding, until, muted_by, created_at)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (app_id, finding) DO UPDATE SET
    until = excluded.until, muted_by = excluded.muted_by, created_at = excluded.created_at;
