-- Writes 700 kB to a table that is dropped with the transaction, to check that writing is possible: a full disk, a read-only
-- session and a library that cannot be loaded raise the same error here as when events are written.
DO $$
BEGIN
    CREATE TEMPORARY TABLE landfall_writing_trial ON COMMIT DROP AS
    SELECT number FROM generate_series(1, 20000) AS number;
END;
$$;
