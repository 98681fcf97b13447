-- Leaves nothing of what came before to be cleared up during a measurement.
VACUUM (ANALYZE);
