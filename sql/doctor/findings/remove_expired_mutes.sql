-- Removes mutes that ended before an instant. $1 at
DELETE FROM landfall.finding_mute WHERE until < $1;
