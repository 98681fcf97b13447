-- How many notifications are there, of all apps?
SELECT count(*) FROM landfall.delivery;
