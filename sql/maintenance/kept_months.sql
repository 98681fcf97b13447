-- How much room do the notifications of each month take, the latest month first?
SELECT to_char(to_date(substr(child.relname, 10), 'YYYYMMDD'), 'YYYY-MM') AS month,
       count(*)                                                           AS days,
       sum(pg_total_relation_size(child.oid))::bigint                     AS bytes
  FROM pg_inherits
  JOIN pg_class AS child ON child.oid = pg_inherits.inhrelid
 WHERE pg_inherits.inhparent = 'landfall.delivery'::regclass
   AND child.relname ~ '^delivery_\d{8}$'
 GROUP BY month
 ORDER BY month DESC;
