-- Ends statements that wait too long on the server, a little before the client closes the connection. So the client learns the
-- reason, and no locks outlive a client that a broken network cut off.
--
-- SET instead of set_config(), because a SELECT would take the transaction's snapshot, and the caller may need a lock first. SET
-- accepts no parameters, so the words after a colon are replaced in the text: SESSION or LOCAL, and milliseconds.
SET :scope statement_timeout = :statement_ms;
SET :scope lock_timeout = :lock_ms;
SET :scope idle_in_transaction_session_timeout = :idle_ms;
