-- Ends the mute of a finding. No row if the finding is not muted. $1 app_id, $2 finding
DELETE FROM landfall.finding_mute WHERE app_id = $1 AND finding = $2 RETURNING finding;
