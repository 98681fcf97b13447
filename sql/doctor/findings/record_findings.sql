-- Records what an examination of an app found: opens an episode for each finding that has none open, and updates the open ones.
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
