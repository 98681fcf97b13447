-- Counts the notifications of one day by segment, each measure as Measure defines it: landfall verify must find no difference.
-- $1 app_id, $2 from (inclusive) and $3 to (exclusive)
WITH counted AS (
    SELECT date_bin('15 minutes', sent_at, '2000-01-01 00:00:00+00') AS quarter, campaign_id, segment_id, state,
           count(*) AS notifications
    FROM landfall.delivery
    WHERE app_id = $1 AND sent_at >= $2 AND sent_at < $3 AND state & 1 <> 0
    GROUP BY 1, 2, 3, 4
), milestone AS (
    SELECT quarter, campaign_id, segment_id, notifications, state,
           state & 2 <> 0                        AS accepted,
           state & 6 = 6                         AS reportable,
           state & 8 <> 0                        AS arrived,
           state & 120 <> 0                      AS seen,
           state & 112 <> 0                      AS responded,
           state & 128 <> 0                      AS recalled,
           CASE WHEN state & 2 = 0 THEN state >> 16 ELSE 0 END AS rejections
    FROM counted
), classed AS (
    -- The lowest bit is the most final class.
    SELECT *, rejections & -rejections AS rejection, rejections & (rejections - 1) <> 0 AS conflicting
    FROM milestone
)
INSERT INTO landfall.segment_rollup (
    app_id, quarter, campaign_id, segment_id, slot, attempted, accepted, rejected_token_dead, rejected_token_suspect,
    rejected_wrong_topic, rejected_wrong_environment, rejected_payload_error, rejected_request_error,
    rejected_auth_error, rejected_throttled, rejected_provider_error, rejected_unknown, conflicting, reportable,
    arrived, arrived_reportable, confirmed, presented, clicked, dismissed, confirmed_unreported,
    responded_reportable, contradicted, unconfirmed_recalled, unconfirmed_not_reportable
)
SELECT $1, quarter, campaign_id, segment_id, 0,
       sum(notifications),
       coalesce(sum(notifications) FILTER (WHERE accepted), 0),
       coalesce(sum(notifications) FILTER (WHERE rejection = 1), 0),
       coalesce(sum(notifications) FILTER (WHERE rejection = 2), 0),
       coalesce(sum(notifications) FILTER (WHERE rejection = 4), 0),
       coalesce(sum(notifications) FILTER (WHERE rejection = 8), 0),
       coalesce(sum(notifications) FILTER (WHERE rejection = 16), 0),
       coalesce(sum(notifications) FILTER (WHERE rejection = 32), 0),
       coalesce(sum(notifications) FILTER (WHERE rejection = 64), 0),
       coalesce(sum(notifications) FILTER (WHERE rejection = 128), 0),
       coalesce(sum(notifications) FILTER (WHERE rejection = 256), 0),
       coalesce(sum(notifications) FILTER (WHERE rejection = 512), 0),
       coalesce(sum(notifications) FILTER (WHERE conflicting), 0),
       coalesce(sum(notifications) FILTER (WHERE reportable), 0),
       coalesce(sum(notifications) FILTER (WHERE accepted AND arrived), 0),
       coalesce(sum(notifications) FILTER (WHERE reportable AND arrived), 0),
       coalesce(sum(notifications) FILTER (WHERE accepted AND seen), 0),
       coalesce(sum(notifications) FILTER (WHERE accepted AND state & 16 <> 0), 0),
       coalesce(sum(notifications) FILTER (WHERE accepted AND state & 32 <> 0), 0),
       coalesce(sum(notifications) FILTER (WHERE accepted AND state & 64 <> 0), 0),
       coalesce(sum(notifications) FILTER (WHERE reportable AND seen AND NOT arrived), 0),
       coalesce(sum(notifications) FILTER (WHERE reportable AND responded), 0),
       coalesce(sum(notifications) FILTER (WHERE NOT accepted AND seen), 0),
       coalesce(sum(notifications) FILTER (WHERE accepted AND NOT seen AND recalled), 0),
       coalesce(sum(notifications) FILTER (WHERE accepted AND NOT seen AND NOT recalled AND NOT reportable), 0)
FROM classed
GROUP BY quarter, campaign_id, segment_id
ORDER BY quarter, campaign_id, segment_id;
