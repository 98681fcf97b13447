-- Who may sign in? One row per person.
SELECT person_id, name, has_passphrase, grant_app_ids, grant_roles
FROM landfall.granted_person
ORDER BY name;
