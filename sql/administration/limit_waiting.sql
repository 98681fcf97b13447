-- Ends what waits too long on the server's side, a little before the client gives the connection up: then it learns why, and
-- nobody's locks outlive a client that a broken network hides.
SET statement_timeout = '13s';
SET lock_timeout = '10s';
SET idle_in_transaction_session_timeout = '15s';
