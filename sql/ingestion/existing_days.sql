-- Which of these days have a partition? $1 starts of UTC days[]
SELECT day
FROM unnest($1::timestamptz[]) AS asked (day)
WHERE to_regclass('landfall.delivery_' || to_char(day AT TIME ZONE 'UTC', 'YYYYMMDD')) IS NOT NULL;
