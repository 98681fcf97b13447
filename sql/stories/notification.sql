-- The story of a notification, and of the pushes to a token or an installation.

-- part: push
SELECT delivery.notification_id,
       delivery.sent_at + coalesce(delivery.sent_after_ms, 0) * interval '1 ms' AS sent_at,
       delivery.state,
       delivery.arrived_after_ms - coalesce(delivery.sent_after_ms, 0) AS arrived_after_ms,
       delivery.presented_after_ms - coalesce(delivery.sent_after_ms, 0) AS presented_after_ms,
       delivery.clicked_after_ms - coalesce(delivery.sent_after_ms, 0) AS clicked_after_ms,
       delivery.dismissed_after_ms - coalesce(delivery.sent_after_ms, 0) AS dismissed_after_ms,
       delivery.arrived_kit, delivery.witness, {{facts: delivery.#}},
       delivery.token_id, delivery.installation_id, campaign.key AS campaign, campaign.variant,
       segment.provider, segment.environment, segment.topic, segment.push_type, segment.priority,
       response.status, response.reason, response.outcome_class

-- part: push_tables
  FROM landfall.delivery
  LEFT JOIN landfall.campaign ON campaign.campaign_id = delivery.campaign_id AND campaign.app_id = delivery.app_id
  LEFT JOIN landfall.segment ON segment.segment_id = delivery.segment_id AND segment.app_id = delivery.app_id
  LEFT JOIN landfall.provider_response AS response ON response.response_id = delivery.response_id

-- name: notification
-- What is known about a notification?
--
-- Parameters: $1 app, $2 notification_id, $3 earliest and $4 latest instant at which it can have been sent.
-- Grain: at most one row.

{{push}},
       coalesce(known_date.is_provisional, false) AS is_provisional
{{push_tables}}
  LEFT JOIN landfall.notification_date AS known_date
         ON known_date.notification_id = delivery.notification_id AND known_date.app_id = delivery.app_id
 WHERE delivery.notification_id = $2
   AND delivery.app_id = $1
   AND delivery.sent_at BETWEEN $3 AND $4
   -- State 0 only points to another row.
   AND delivery.state <> 0
 ORDER BY delivery.sent_at DESC
 LIMIT 1;

-- name: response_transitions
-- What did the response to a push do to its token?
--
-- Parameters: $1 app, $2 token_id, $3 when the push was sent, in milliseconds since 1970.
-- Grain: one row per transition whose evidence is that push, in the order in which they were written.

SELECT transition_id, token_id, at, from_state, to_state, rule, evidence::text AS evidence, run_id
  FROM landfall.token_transition
 WHERE app_id = $1
   AND token_id = $2
   AND (evidence ->> 'sent_at')::bigint = $3
 ORDER BY transition_id;

-- name: pushes
-- Which pushes of this window went to a token, or to any token of an installation?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive) of sent_at; $4 token_id or null, $5 installation_id or null;
-- $6 limit.
-- Grain: one row per notification, the newest first.
--
-- No index leads from a token to its pushes, because ingestion would pay for it with every row. The window bounds the work
-- instead.

{{push}}
{{push_tables}}
 WHERE delivery.app_id = $1
   AND delivery.sent_at >= $2
   AND delivery.sent_at < $3
   AND delivery.state <> 0
   AND (delivery.token_id = $4 OR delivery.installation_id = $5)
 ORDER BY delivery.sent_at DESC, delivery.notification_id
 LIMIT $6;
