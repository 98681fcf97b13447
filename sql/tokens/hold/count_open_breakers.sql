-- How many breakers are open, of all apps?
SELECT count(*) AS open_count FROM landfall.token_breaker WHERE opened_at IS NOT NULL;
