-- Makes the transaction that has just begun see the database as it is at its first query, and change nothing.
SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY;
