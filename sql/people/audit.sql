-- The audit of what people did.

-- name: record_act
-- Records an act, by PostgreSQL's clock: the servers and commands that record acts may have different ones.
-- $1 name, $2 person_id, $3 act, $4 app, $5 subject, $6 address
INSERT INTO landfall.audit_entry (at, name, person_id, act, app, subject, address)
VALUES (statement_timestamp(), $1, $2, $3, $4, $5, $6);

-- name: list_acts
-- What was done? One row per act, the newest first.
-- $1 before this audit_entry_id, $2 limit
SELECT audit_entry_id AS id, at, name, person_id, act, app, subject, address
FROM landfall.audit_entry
WHERE audit_entry_id < $1
ORDER BY audit_entry_id DESC LIMIT $2;

-- name: has_signed_in
-- Has a person with this name signed in from this address since an instant?
--
-- Parameters: $1 name, $2 address, $3 since.
SELECT EXISTS (
    SELECT FROM landfall.audit_entry
     WHERE at >= $3 AND act = 'sign_in' AND name = $1 AND address = $2
) AS has_signed_in;

-- name: remove_old_acts
-- Removes entries of acts before an instant. $1 at
DELETE FROM landfall.audit_entry WHERE at < $1;
