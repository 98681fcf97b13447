-- Writes 700 kB to a table that ends with the transaction, to see whether that is possible: a full disk, a read-only session and a
-- library that cannot be loaded raise their error here as they do where events are written.
DO $$
BEGIN
    CREATE TEMPORARY TABLE landfall_writing_trial ON COMMIT DROP AS
    SELECT number FROM generate_series(1, 20000) AS number;
END;
$$;
