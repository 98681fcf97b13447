-- Ends one session of a person. $1 session_id, $2 person_id
DELETE FROM landfall.session WHERE session_id = $1 AND person_id = $2;
