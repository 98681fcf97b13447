-- By which spans of time are latencies counted? One row per bucket, from the shortest to the longest; the last has no end.
SELECT bucket, from_ms, to_ms FROM landfall.latency_bucket ORDER BY bucket;
