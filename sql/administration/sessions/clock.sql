-- What time is it, by PostgreSQL's clock?
SELECT clock_timestamp() AS now;
