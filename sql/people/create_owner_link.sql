-- Creates a link that signs in the owner of this installation of Landfall, who is added unless present and is an admin of all apps.
-- $1 name, $2 now, $3 digest, $4 expires_at
WITH owner AS (
    INSERT INTO landfall.person (name, created_at) VALUES ($1, $2)
    ON CONFLICT (name) DO UPDATE SET name = EXCLUDED.name
    RETURNING person_id
), granted AS (
    INSERT INTO landfall.person_grant (person_id, role)
    SELECT owner.person_id, 'admin'
    FROM owner
    ON CONFLICT (person_id, app_id) DO UPDATE SET role = EXCLUDED.role
)
INSERT INTO landfall.sign_in_link (digest, person_id, kind, created_at, expires_at)
SELECT $3, owner.person_id, 'sign_in', $2, $4
FROM owner;
