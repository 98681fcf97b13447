-- Below which number have all transactions ended that could have written to this database's ledger? One row.
-- A writer holds a lock on a table of this database from before it gets its number until after its rows are visible. The snapshot
-- is taken before the locks are read, so a transaction that starts in between has a number at or above the bound. Run this before
-- the statement that reads the ledger: rows whose locks are gone are visible by then.
-- pg_locks has only the lower 32 bits of transaction numbers.
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
