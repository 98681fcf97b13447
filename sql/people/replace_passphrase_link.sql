-- Creates a link that sets a new passphrase. The present passphrase, earlier links and all sessions of the person end. No row if
-- there is no such person.
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
SELECT $3, reset.person_id, 'set_passphrase', $2, $4
FROM reset
RETURNING person_id;
