-- Sessions, from their beginning to their end.

-- name: begin_session
-- Begins a session. No row if the person has been removed.
-- $1 digest, $2 person_id, $3 method, $4 address, $5 user_agent, $6 now
INSERT INTO landfall.session (digest, person_id, method, address, user_agent, started_at, last_seen_at)
SELECT $1, person.person_id, $3, $4, $5, $6, $6 FROM landfall.person
WHERE person.person_id = $2
RETURNING session_id;

-- name: find_session
-- Who is signed in with this secret? No row if the session has ended.
-- $1 digest, $2 last used after, $3 started after
SELECT session.session_id, session.method, session.last_seen_at, person.*
FROM landfall.session
JOIN landfall.granted_person AS person ON person.person_id = session.person_id
WHERE session.digest = $1 AND session.last_seen_at > $2 AND session.started_at > $3;

-- name: find_people_of_sessions
-- Who owns these sessions, and what may these people do now? No row for a session that has ended.
-- $1 session_id[], $2 last used after, $3 started after
SELECT session.session_id, person.*
FROM landfall.session
JOIN landfall.granted_person AS person ON person.person_id = session.person_id
WHERE session.session_id = ANY ($1) AND session.last_seen_at > $2 AND session.started_at > $3;

-- name: touch_session
-- Notes that a session was used. $1 session_id, $2 now
UPDATE landfall.session SET last_seen_at = $2 WHERE session_id = $1 AND last_seen_at < $2;

-- name: end_session
-- Ends the session with this secret. $1 digest
DELETE FROM landfall.session WHERE digest = $1;

-- name: end_session_by_id
-- Ends one session of a person. $1 session_id, $2 person_id
DELETE FROM landfall.session WHERE session_id = $1 AND person_id = $2;

-- name: end_sessions
-- Ends all sessions of a person. $1 person_id
DELETE FROM landfall.session WHERE person_id = $1;

-- name: remove_expired
-- Removes sessions and links that no longer work.
-- $1 now; sessions last used until $2, or started until $3
WITH links AS (
    DELETE FROM landfall.sign_in_link WHERE expires_at <= $1
), shares AS (
    DELETE FROM landfall.share_link WHERE expires_at <= $1
)
DELETE FROM landfall.session WHERE last_seen_at <= $2 OR started_at <= $3;
