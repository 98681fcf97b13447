-- People and their roles.

-- name: add_person
-- Adds a person with grants and a link that sets the passphrase. No row if the name is taken.
-- $1 name, $2 now, $3 app_id[] (0: all) and $4 role[] of the grants, $5 digest and $6 expires_at of the link
WITH added AS (
    INSERT INTO landfall.person (name, created_at) VALUES ($1, $2)
    ON CONFLICT (name) DO NOTHING
    RETURNING person_id
), granted AS (
    INSERT INTO landfall.person_grant (person_id, app_id, role)
    SELECT added.person_id, nullif(given.app_id, 0), given.role
    FROM added
    CROSS JOIN unnest($3::bigint[], $4::text[]) AS given (app_id, role)
), link AS (
    INSERT INTO landfall.sign_in_link (digest, person_id, kind, created_at, expires_at)
    SELECT $5, added.person_id, 'set_passphrase', $2, $6 FROM added
)
SELECT person_id FROM added;

-- name: find_person
-- Who has this name? $1 name
SELECT * FROM landfall.granted_person WHERE name = $1;

-- name: find_person_by_id
-- Who has this id? $1 person_id
SELECT * FROM landfall.granted_person WHERE person_id = $1;

-- name: list_people
-- Who may sign in? One row per person.
SELECT * FROM landfall.granted_person ORDER BY name;

-- name: grant_role
-- Gives a person a role instead of the one that the person had there. No row if there is no such person.
-- $1 name, $2 app_id (null: all apps), $3 role
INSERT INTO landfall.person_grant (person_id, app_id, role)
SELECT person.person_id, $2, $3 FROM landfall.person
WHERE person.name = $1
ON CONFLICT (person_id, app_id) DO UPDATE SET role = EXCLUDED.role
RETURNING person_id;

-- name: revoke_role
-- Ends a person's role. No row if the person has none there.
-- $1 name, $2 app_id (null: the role in all apps)
DELETE FROM landfall.person_grant
USING landfall.person
WHERE person.name = $1 AND person_grant.person_id = person.person_id
  AND person_grant.app_id IS NOT DISTINCT FROM $2
RETURNING person.person_id;

-- name: remove_person
-- Removes a person with all grants, links and sessions. No row if there is no such person. $1 name
WITH removed AS (
    DELETE FROM landfall.person WHERE name = $1
    RETURNING person_id
), grants AS (
    DELETE FROM landfall.person_grant USING removed WHERE person_grant.person_id = removed.person_id
), links AS (
    DELETE FROM landfall.sign_in_link USING removed WHERE sign_in_link.person_id = removed.person_id
), sessions AS (
    DELETE FROM landfall.session USING removed WHERE session.person_id = removed.person_id
)
SELECT person_id FROM removed;
