-- Leaves nothing of the preparation to be cleared up during a measurement.
VACUUM (ANALYZE);
