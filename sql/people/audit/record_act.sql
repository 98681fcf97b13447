-- Records an act. $1 at, $2 name, $3 person_id, $4 act, $5 app, $6 subject, $7 address
INSERT INTO landfall.audit_entry (at, name, person_id, act, app, subject, address)
VALUES ($1, $2, $3, $4, $5, $6, $7);
