-- How many signing keys do all apps have, including revoked ones?
SELECT count(*) AS key_count FROM landfall.api_key WHERE sealed_key IS NOT NULL;
