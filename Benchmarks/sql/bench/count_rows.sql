-- How many notifications are in the window? A report without counters would have to do this. $1 app_id, $2
-- from, $3 to
SELECT count(*) AS notifications FROM landfall.delivery WHERE app_id = $1 AND sent_at >= $2 AND sent_at < $3;
