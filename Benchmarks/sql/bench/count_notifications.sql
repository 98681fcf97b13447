-- How many notifications of all apps are there?
SELECT count(*) FROM landfall.delivery;
