-- How many rejected items of an app were kept, repeated, evicted, dropped and replayed since its creation? One row.
-- $1 app_id, $2 poster; null: both.
SELECT coalesce(sum(kept), 0)::bigint     AS kept,
       coalesce(sum(repeated), 0)::bigint AS repeated,
       coalesce(sum(evicted), 0)::bigint  AS evicted,
       coalesce(sum(dropped), 0)::bigint  AS dropped,
       coalesce(sum(replayed), 0)::bigint AS replayed
  FROM landfall.quarantine_count WHERE app_id = $1 AND ($2::text IS NULL OR poster = $2);
