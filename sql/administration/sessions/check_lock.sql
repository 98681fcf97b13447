-- Is the transaction that holds a lock still open? Fails if its session has ended.
SELECT true AS is_open;
