-- Who is signed in with this secret? No row if the session has ended.
-- $1 digest, $2 last used after, $3 started after
SELECT session.session_id, session.method, session.address, session.user_agent, session.started_at,
       session.last_seen_at, person.person_id, person.name, person.has_passphrase, person.grant_app_ids,
       person.grant_roles
FROM landfall.session
JOIN landfall.granted_person AS person ON person.person_id = session.person_id
WHERE session.digest = $1 AND session.last_seen_at > $2 AND session.started_at > $3;
