-- Guards of reports that read notifications: none may be dropped meanwhile, and none may be missing.

-- name: lock_deliveries
-- Keeps maintenance from dropping or packing days of delivery until this transaction ends; other work goes
-- on. It must come before the transaction's first query, so that rows which that query sees remain for all
-- later ones.
LOCK TABLE ONLY landfall.delivery IN ACCESS SHARE MODE;

-- name: dropped_notifications
-- Were any notifications that an app sent in a window dropped since? The counters of dropped days remain.
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), $4 notifications sent before this instant
-- were dropped. Grain: one row.

SELECT coalesce(sum(counter.notifications), 0) > 0 AS were_dropped
  FROM landfall.headline_by_quarter AS counter
 CROSS JOIN LATERAL landfall.measures(counter.state) AS measure
 WHERE counter.app_id = $1
   AND counter.quarter >= $2 AND counter.quarter < least($3::timestamptz, $4::timestamptz)
   AND measure.attempted;
