-- For how many days do the servers of this database keep notifications? No row until a server has stored it.
SELECT convert_from(value, 'UTF8')::bigint AS days FROM landfall.setting WHERE name = 'retention_days';
