-- Signing in: with a link that works once, or with a passphrase.

-- name: create_owner_link
-- Creates a link that signs in the owner of this installation of Landfall, who is added unless present and is
-- an admin of all apps.
-- $1 name, $2 now, $3 digest, $4 expires_at
WITH owner AS (
    INSERT INTO landfall.person (name, created_at) VALUES ($1, $2)
    ON CONFLICT (name) DO UPDATE SET name = EXCLUDED.name
    RETURNING person_id
), granted AS (
    INSERT INTO landfall.person_grant (person_id, role)
    SELECT owner.person_id, 'admin' FROM owner
    ON CONFLICT (person_id, app_id) DO UPDATE SET role = EXCLUDED.role
)
INSERT INTO landfall.sign_in_link (digest, person_id, kind, created_at, expires_at)
SELECT $3, owner.person_id, 'sign_in', $2, $4
FROM owner;

-- name: replace_passphrase_link
-- Creates a link that sets a new passphrase. The present passphrase, earlier links and all sessions of the
-- person end. No row if there is no such person.
-- $1 name, $2 now, $3 digest, $4 expires_at
WITH reset AS (
    UPDATE landfall.person SET passphrase_hash = NULL WHERE name = $1
    RETURNING person_id
), former AS (
    DELETE FROM landfall.sign_in_link USING reset WHERE sign_in_link.person_id = reset.person_id
), ended AS (
    DELETE FROM landfall.session USING reset WHERE session.person_id = reset.person_id
)
INSERT INTO landfall.sign_in_link (digest, person_id, kind, created_at, expires_at)
SELECT $3, reset.person_id, 'set_passphrase', $2, $4 FROM reset
RETURNING person_id;

-- name: open_link
-- Whom would this link sign in, and how? No row if it is used, expired or unknown.
-- $1 digest, $2 now
SELECT link.kind, link.expires_at, person.*
FROM landfall.sign_in_link AS link
JOIN landfall.granted_person AS person ON person.person_id = link.person_id
WHERE link.digest = $1 AND link.expires_at > $2;

-- name: use_link
-- Uses a link: of several at once, only the first one deletes its row. A new passphrase ends the person's
-- sessions and other links. No row if the link is used, expired, unknown or of the other kind.
-- $1 digest, $2 now, $3 passphrase_hash (null for a link that only signs in)
WITH used AS (
    DELETE FROM landfall.sign_in_link
    WHERE digest = $1 AND expires_at > $2 AND (kind = 'set_passphrase') = ($3::text IS NOT NULL)
    RETURNING person_id
), changed AS (
    UPDATE landfall.person SET passphrase_hash = $3
    FROM used
    WHERE person.person_id = used.person_id AND $3 IS NOT NULL
    RETURNING person.person_id
), others AS (
    DELETE FROM landfall.sign_in_link USING changed
    WHERE sign_in_link.person_id = changed.person_id AND sign_in_link.digest <> $1
), ended AS (
    DELETE FROM landfall.session USING changed WHERE session.person_id = changed.person_id
)
SELECT person_id FROM used;

-- name: find_passphrase
-- With what is a passphrase compared? No row if there is no such person.
-- $1 name
SELECT person_id, passphrase_hash AS hash FROM landfall.person WHERE name = $1;
