-- How many tokens of all apps are stored under the token key, and how many of them no longer have a value?
SELECT count(*) AS token_count, count(*) FILTER (WHERE sealed_value IS NULL) AS tombstone_count FROM landfall.token;
