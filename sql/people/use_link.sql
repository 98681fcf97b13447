-- Uses a link: of several at once, only the first one deletes its row. A new passphrase ends the person's sessions and other links.
-- No row if the link is used, expired, unknown or of the other kind.
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
