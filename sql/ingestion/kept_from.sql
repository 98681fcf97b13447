-- Before which instant were notifications dropped? No row while none ever were.
SELECT kept_from FROM landfall.retention;
