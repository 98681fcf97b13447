-- Cleans up after earlier work, so that nothing is left to do during a measurement.
VACUUM (ANALYZE);
