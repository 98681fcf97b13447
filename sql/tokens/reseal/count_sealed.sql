-- How many tokens, of all apps, are kept under the token key, and how many of them have lost their value?
SELECT count(*) AS token_count, count(*) FILTER (WHERE sealed_value IS NULL) AS tombstone_count FROM landfall.token;
