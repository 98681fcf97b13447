-- Begins a session. No row if the person has been removed.
-- $1 digest, $2 person_id, $3 method, $4 address, $5 user_agent, $6 now
INSERT INTO landfall.session (digest, person_id, method, address, user_agent, started_at, last_seen_at)
SELECT $1, person.person_id, $3, $4, $5, $6, $6
FROM landfall.person
WHERE person.person_id = $2
RETURNING session_id;
