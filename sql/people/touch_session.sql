-- Notes that a session was used. $1 session_id, $2 now
UPDATE landfall.session SET last_seen_at = $2 WHERE session_id = $1 AND last_seen_at < $2;
