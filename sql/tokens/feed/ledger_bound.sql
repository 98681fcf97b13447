-- Below which number has every transaction ended that could have written into this database's ledger? One row.
-- Whoever writes here holds a lock on a table of this database from before it gets its number until after its rows can be seen.
-- The snapshot is older than the look at the locks, so a transaction that is in neither begins behind the bound. To be asked
-- before the statement that reads the ledger: what is not locked any more can be seen by then.
-- pg_locks has the lower 32 bits of numbers only.
WITH held AS MATERIALIZED (
    SELECT locktype, database, transactionid, virtualtransaction FROM pg_catalog.pg_locks
), ahead AS (
    SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS number
), open AS (
    SELECT mod(ahead.number - held.transactionid::text::bigint + 4294967296, 4294967296) AS age
    FROM held
    CROSS JOIN ahead
    WHERE held.locktype = 'transactionid'
      AND EXISTS (SELECT 1
                  FROM held AS own
                  WHERE own.virtualtransaction = held.virtualtransaction
                    AND own.locktype = 'relation'
                    AND own.database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()))
)
SELECT (ahead.number - coalesce((SELECT max(age) FROM open WHERE age < 2147483648), 0))::text AS bound
FROM ahead;
