-- What was done? One row per act, the newest first.
-- $1 before this audit_entry_id, $2 limit
SELECT audit_entry_id, at, name, person_id, act, app, subject, address
FROM landfall.audit_entry
WHERE audit_entry_id < $1
ORDER BY audit_entry_id DESC
LIMIT $2;
