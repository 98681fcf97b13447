-- Ends the session with this secret. $1 digest
DELETE FROM landfall.session WHERE digest = $1;
