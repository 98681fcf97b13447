-- Adds a person with grants and a link that sets the passphrase. No row if the name is taken.
-- $1 name, $2 now, $3 app_id[] (0: all apps) and $4 role[] of the grants, $5 digest and $6 expires_at of the link
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
    SELECT $5, added.person_id, 'set_passphrase', $2, $6
    FROM added
)
SELECT person_id FROM added;
