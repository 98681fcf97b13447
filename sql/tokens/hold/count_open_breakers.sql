-- How many breakers of all apps are open?
SELECT count(*) AS open_count FROM landfall.token_breaker WHERE opened_at IS NOT NULL;
