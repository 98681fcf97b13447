-- How much room does the whole database take, in bytes?
SELECT pg_database_size(current_database()) AS bytes;
