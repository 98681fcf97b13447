-- Removes episodes that ended before an instant. $1 at
DELETE FROM landfall.finding_episode WHERE resolved_at < $1;
