-- Where is a person signed in? One row per session, the most recently used first.
-- $1 person_id, $2 last used after, $3 started after
SELECT session_id, method, address, user_agent, started_at, last_seen_at
FROM landfall.session
WHERE person_id = $1 AND last_seen_at > $2 AND started_at > $3
ORDER BY last_seen_at DESC, session_id DESC;
