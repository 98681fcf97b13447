-- Which buckets are latencies counted in? One row per bucket, from the shortest to the longest; the last has no upper bound.
SELECT bucket, from_ms, to_ms FROM landfall.latency_bucket ORDER BY bucket;
