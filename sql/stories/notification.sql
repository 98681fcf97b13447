-- The story of a notification, and of the pushes to a token or an installation.

-- part: push
SELECT notification_id, state, {{facts: delivery.#}}, delivery.rejected_at AS invalid_since,
       arrived_kit, witness, token_id, installation_id,
       delivery.sent_at + coalesce(sent_after_ms, 0) * interval '1 ms' AS sent_at,
       arrived_after_ms - coalesce(sent_after_ms, 0)                   AS arrived_after_ms,
       presented_after_ms - coalesce(sent_after_ms, 0)                 AS presented_after_ms,
       clicked_after_ms - coalesce(sent_after_ms, 0)                   AS clicked_after_ms,
       dismissed_after_ms - coalesce(sent_after_ms, 0)                 AS dismissed_after_ms,
       campaign.key AS campaign, variant, segment.provider, environment, topic, push_type, priority,
       status::bigint AS status, reason, outcome_class

-- part: push_tables
  FROM landfall.delivery
  LEFT JOIN landfall.campaign USING (campaign_id, app_id)
  LEFT JOIN landfall.segment USING (segment_id, app_id)
  LEFT JOIN landfall.provider_response USING (response_id)

-- name: notification
-- What is known about a notification?
--
-- Parameters: $1 app, $2 notification_id, $3 earliest and $4 latest instant at which it can have been sent.
-- Grain: at most one row.

{{push}}, coalesce(is_provisional, false) AS is_provisional
{{push_tables}}
  LEFT JOIN landfall.notification_date USING (notification_id, app_id)
 WHERE delivery.notification_id = $2 AND delivery.app_id = $1 AND delivery.sent_at BETWEEN $3 AND $4
   -- State 0 only points to another row.
   AND state <> 0
 ORDER BY delivery.sent_at DESC
 LIMIT 1;

-- name: response_transitions
-- What did the response to a push do to its token?
--
-- Parameters: $1 app, $2 token_id, $3 when the push was sent, in milliseconds since 1970.
-- Grain: one row per transition whose evidence is that push, in the order in which they were written.

SELECT transition_id, token_id, at, from_state, to_state, rule AS rule_name, evidence::text AS evidence, run_id
  FROM landfall.token_transition
 WHERE app_id = $1 AND token_id = $2 AND (evidence ->> 'sent_at')::bigint = $3
 ORDER BY transition_id;

-- name: pushes
-- Which pushes of this window went to a token, or to any token of an installation?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive) of sent_at; $4 token_id or null, $5
-- installation_id or null; $6 limit; $7 senders to keep (null: all). Grain: one row per notification, the
-- newest first.
--
-- No index leads from a token to its pushes, because ingestion would pay for it with every row. The window
-- bounds the work instead.

{{push}}
{{push_tables}}
 WHERE delivery.app_id = $1 AND delivery.sent_at >= $2 AND delivery.sent_at < $3 AND state <> 0
   AND (token_id = $4 OR installation_id = $5)
   AND ($7::text[] IS NULL OR coalesce(sender, '') = ANY ($7))
 ORDER BY delivery.sent_at DESC, notification_id
 LIMIT $6;
