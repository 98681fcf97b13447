-- Gives a person a role instead of the one that the person had there. No row if there is no such person.
-- $1 name, $2 app_id (null: all apps), $3 role
INSERT INTO landfall.person_grant (person_id, app_id, role)
SELECT person.person_id, $2, $3
FROM landfall.person
WHERE person.name = $1
ON CONFLICT (person_id, app_id) DO UPDATE SET role = EXCLUDED.role
RETURNING person_id;
