-- Before which instant were notifications dropped? No row if none were ever dropped.
SELECT kept_from FROM landfall.retention;
