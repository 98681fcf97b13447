-- How many notifications of all apps are there?
SELECT count(*) AS notification_count FROM landfall.delivery;
