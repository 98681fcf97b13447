-- Who owns these sessions, and what may these people do now? No row for a session that has ended.
-- $1 session_id[], $2 last used after, $3 started after
SELECT session.session_id, person.person_id, person.name, person.has_passphrase, person.grant_app_ids,
       person.grant_roles
FROM landfall.session
JOIN landfall.granted_person AS person ON person.person_id = session.person_id
WHERE session.session_id = ANY ($1) AND session.last_seen_at > $2 AND session.started_at > $3;
