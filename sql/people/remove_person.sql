-- Removes a person with all grants, links and sessions. No row if there is no such person.
-- $1 name
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
