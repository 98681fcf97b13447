-- What is recorded about these notifications of these apps? Delays are in milliseconds from sent_at, which is
-- the time that the sender stated, if any.
-- $1 app_id[], $2 notification_id[]
SELECT delivery.app_id,
       delivery.notification_id,
       delivery.sent_at + coalesce(delivery.sent_after_ms, 0) * interval '1 ms' AS sent_at,
       delivery.state,
       delivery.arrived_after_ms - coalesce(delivery.sent_after_ms, 0) AS arrived_after_ms,
       delivery.presented_after_ms - coalesce(delivery.sent_after_ms, 0) AS presented_after_ms,
       delivery.clicked_after_ms - coalesce(delivery.sent_after_ms, 0) AS clicked_after_ms,
       delivery.dismissed_after_ms - coalesce(delivery.sent_after_ms, 0) AS dismissed_after_ms,
       delivery.timed_by_receipt,
       delivery.rejected_at,
       delivery.action,
       delivery.collapse_id,
       delivery.expires_at,
       delivery.sender,
       delivery.provider_id,
       delivery.content_available,
       delivery.arrived_version,
       delivery.token_id IS NOT NULL AS has_token,
       installation.device_id,
       campaign.key AS campaign,
       campaign.variant,
       segment.provider,
       segment.environment,
       segment.topic,
       segment.push_type,
       segment.priority,
       segment.platform,
       segment.app_version,
       segment.os_version,
       segment.language,
       segment.permission,
       provider_response.provider AS response_provider,
       provider_response.status::bigint AS response_status,
       provider_response.reason AS response_reason
  FROM unnest($1::bigint[], $2::uuid[]) AS asked (app_id, notification_id)
  JOIN landfall.delivery ON delivery.notification_id = asked.notification_id AND delivery.app_id = asked.app_id
       -- Rows with state 0 are pointers.
       AND delivery.state <> 0
  LEFT JOIN landfall.campaign ON campaign.campaign_id = delivery.campaign_id
  LEFT JOIN landfall.segment ON segment.segment_id = delivery.segment_id
  LEFT JOIN landfall.provider_response ON provider_response.response_id = delivery.response_id
  LEFT JOIN landfall.installation ON installation.installation_id = delivery.installation_id;
