-- Ends what waits too long on the server's side, a little before the client gives the connection up: then it learns why, and
-- nobody's locks outlive a client that a broken network hides.
--
-- SET and not set_config(): a transaction takes its snapshot with its first query, which a SELECT is, and somebody may have to
-- be locked out before. SET takes no parameters: words behind a colon are filled in, SESSION or LOCAL and milliseconds.
SET :scope statement_timeout = :statement_ms;
SET :scope lock_timeout = :lock_ms;
SET :scope idle_in_transaction_session_timeout = :idle_ms;
