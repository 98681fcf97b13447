-- Ends all sessions of a person. $1 person_id
DELETE FROM landfall.session WHERE person_id = $1;
