-- With what is a passphrase compared? No row if there is no such person.
-- $1 name
SELECT person_id, passphrase_hash FROM landfall.person WHERE name = $1;
