-- Below which number have all transactions ended that could have written to this database's ledger? One row.
-- A writer holds a lock on a table of this database from before it gets its number until after its rows are visible. The snapshot
-- is taken before the locks are read, so a transaction that starts in between has a number at or above the bound. Run this before
-- the statement that reads the ledger: rows whose locks are gone are visible by then.
-- pg_locks has only the lower 32 bits of transaction numbers.
WITH held AS MATERIALIZED (
    SELECT locktype, database, transactionid, virtualtransaction FROM pg_catalog.pg_locks
), ahead AS (
    SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS number
), aged AS (
    SELECT virtualtransaction, locktype, database,
           CASE WHEN locktype = 'transactionid'
                THEN mod((SELECT number FROM ahead) - transactionid::text::bigint + 4294967296, 4294967296) END AS age
    FROM held
), open AS (
    -- Grouped instead of joined: a join would compare every lock with every other.
    SELECT max(age) FILTER (WHERE age < 2147483648) AS age
    FROM aged
    GROUP BY virtualtransaction
    HAVING bool_or(locktype = 'relation'
                   AND database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()))
)
SELECT (ahead.number - coalesce((SELECT max(age) FROM open), 0))::text AS bound
FROM ahead;
