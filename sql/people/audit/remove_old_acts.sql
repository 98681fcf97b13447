-- Removes entries of acts before an instant. $1 at
DELETE FROM landfall.audit_entry WHERE at < $1;
