-- How many notifications were sent before an instant? $1 the instant
SELECT count(*) AS notifications FROM landfall.delivery WHERE sent_at < $1;
