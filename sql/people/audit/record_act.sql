-- Records an act, by PostgreSQL's clock: the servers and commands that record acts may have different ones.
-- $1 name, $2 person_id, $3 act, $4 app, $5 subject, $6 address
INSERT INTO landfall.audit_entry (at, name, person_id, act, app, subject, address)
VALUES (statement_timestamp(), $1, $2, $3, $4, $5, $6);
