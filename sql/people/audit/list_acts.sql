-- What was done? One row per act, the newest first.
-- $1 app, $2 before this audit_entry_id, $3 limit
SELECT audit_entry_id, at, name, person_id, act, app, subject, address
FROM landfall.audit_entry
WHERE app = $1 AND audit_entry_id < $2
ORDER BY audit_entry_id DESC
LIMIT $3;
