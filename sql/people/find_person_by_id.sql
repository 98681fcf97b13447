-- Who has this id? $1 person_id
SELECT person_id, name, has_passphrase, grant_app_ids, grant_roles
FROM landfall.granted_person
WHERE person_id = $1;
