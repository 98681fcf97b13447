-- Who has this name? $1 name
SELECT person_id, name, has_passphrase, grant_app_ids, grant_roles
FROM landfall.granted_person
WHERE name = $1;
