-- Ends what waits too long on the server's side, a little before the client gives the connection up: then it learns why, and
-- nobody's locks outlive a client that a broken network hides.
-- $1 milliseconds that the client waits for one round trip, $2 for this transaction only, else for the session
SELECT set_config('statement_timeout', (limit_ms * 13 / 15)::text, $2::boolean),
       set_config('lock_timeout', (limit_ms * 10 / 15)::text, $2),
       set_config('idle_in_transaction_session_timeout', limit_ms::text, $2)
FROM (VALUES ($1::bigint)) AS client (limit_ms);
