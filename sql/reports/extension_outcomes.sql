-- How many runs of the notification service extension did not end well?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours, $4 campaigns and $5 variants to keep
--             (null: all), $6 segments to keep (null: all).
-- Grain: one row per platform, app version and OS version with such a run. A run whose push has no response is in none.
--
-- The partial index on extension_outcome contains only such runs. Bit 8 of the state: arrived.

SELECT segment.platform, segment.app_version, segment.os_version,
       count(*) FILTER (WHERE delivery.extension_outcome = 'expired')           AS expired,
       count(*) FILTER (WHERE delivery.extension_outcome = 'attachment_failed') AS attachment_failed
  FROM landfall.delivery
  JOIN landfall.segment ON segment.segment_id = delivery.segment_id AND segment.app_id = delivery.app_id
 WHERE delivery.app_id = $1
   AND delivery.sent_at >= $2 AND delivery.sent_at < $3
   AND delivery.extension_outcome IS NOT NULL
   AND delivery.state & 8 = 8
   AND ($6::bigint[] IS NULL OR delivery.segment_id = ANY ($6))
   AND ($4 IS NULL AND $5 IS NULL
        OR (delivery.campaign_id IN (SELECT campaign_id FROM landfall.selected_campaigns($1, $4, $5))) IS TRUE)
 GROUP BY segment.platform, segment.app_version, segment.os_version
 ORDER BY segment.platform, segment.app_version, segment.os_version;
