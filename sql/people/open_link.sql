-- Whom would this link sign in, and how? No row if it is used, expired or unknown.
-- $1 digest, $2 now
SELECT link.kind, link.expires_at, person.person_id, person.name, person.has_passphrase, person.grant_app_ids,
       person.grant_roles
FROM landfall.sign_in_link AS link
JOIN landfall.granted_person AS person ON person.person_id = link.person_id
WHERE link.digest = $1 AND link.expires_at > $2;
