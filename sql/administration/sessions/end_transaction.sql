-- Ends a transaction that was open to hold a lock.
COMMIT;
