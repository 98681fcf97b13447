-- Ends a person's role. No row if the person has none there.
-- $1 name, $2 app_id (null: the role in all apps)
DELETE FROM landfall.person_grant
USING landfall.person
WHERE person.name = $1 AND person_grant.person_id = person.person_id
  AND person_grant.app_id IS NOT DISTINCT FROM $2
RETURNING person.person_id;
