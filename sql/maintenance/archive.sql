-- Archiving days: their notifications, with names instead of numbers, and what the counters say of them.

-- name: archived_rows
-- What is known of the notifications of a span? One row each, in the order of the key; every column is one
-- of the archive. Rows with state 0 only point to others. What has no meaning in its state, and unknown texts
-- are null. The id is text, because Spark cannot read Parquet's UUIDs. Apps of another cell, whose rows here
-- are copies, are left out. The last columns are the measures of the reports.
-- $1 from (inclusive) and $2 to (exclusive) of counted_at; after the key $3 notification_id, $4 app_id, $5
-- counted_at; $6 limit
SELECT coalesce(slug, app_id::text) AS app, app_id, notification_id::text AS notification_id, delivery.sent_at AS counted_at,
       delivery.sent_at + coalesce(sent_after_ms, 0) * interval '1 ms' AS sent_at, state::bigint AS state,
       nullif(campaign.key, '') AS campaign, nullif(variant, '') AS variant, segment.provider, environment,
       nullif(topic, '') AS topic, nullif(push_type, '') AS push_type, nullif(priority, '') AS priority,
       nullif(platform, '') AS platform, nullif(segment.app_version, '') AS app_version,
       nullif(os_version, '') AS os_version, nullif(language, '') AS language,
       nullif(permission, '') AS permission, status::bigint AS status, nullif(reason, '') AS reason,
       outcome_class, token_id, installation_id,
       CASE WHEN state & {{arrived}} <> 0 THEN arrived_after_ms - coalesce(sent_after_ms, 0) END AS arrived_after_ms,
       CASE WHEN state & {{presented}} <> 0 THEN presented_after_ms - coalesce(sent_after_ms, 0) END AS presented_after_ms,
       CASE WHEN state & {{clicked}} <> 0 THEN clicked_after_ms - coalesce(sent_after_ms, 0) END AS clicked_after_ms,
       CASE WHEN state & {{dismissed}} <> 0 THEN dismissed_after_ms - coalesce(sent_after_ms, 0) END AS dismissed_after_ms,
       CASE WHEN state & {{arrived}} <> 0 THEN arrived_version END AS arrived_version,
       CASE WHEN state & {{arrived}} <> 0 THEN arrived_kit END AS arrived_kit,
       CASE WHEN state < 0 THEN witness END AS witness,
       {{response counted device: delivery.#}},
       {{click: CASE WHEN state & {{clicked}} <> 0 THEN # END AS #}},
       {{arrival: CASE WHEN state & {{arrived}} <> 0 THEN # END AS #}},
       state & {{attempted}} = 0 AND state & {{local}} = 0 AS unmatched,
       state & {{attempted}} = 0 AND state & {{local}} <> 0 AS local, measure.*
  FROM (SELECT *
          FROM landfall.delivery
         WHERE sent_at >= $1 AND sent_at < $2 AND state <> 0 AND app_id <> ALL ({{copies_of_apps}})
           AND (notification_id, app_id, sent_at) > ($3::text::uuid, $4::bigint, $5::timestamptz)
         ORDER BY notification_id, app_id, sent_at
         LIMIT $6) AS delivery
  LEFT JOIN landfall.app USING (app_id)
  LEFT JOIN landfall.campaign USING (campaign_id, app_id)
  LEFT JOIN landfall.segment USING (segment_id, app_id)
  LEFT JOIN landfall.provider_response USING (response_id)
 CROSS JOIN LATERAL landfall.measures(delivery.state) AS measure
 ORDER BY delivery.notification_id, delivery.app_id, delivery.sent_at;

-- name: archive_origin
-- Which database is it? When its schema was created, which a backup keeps.
SELECT min(applied_at) AS created_at FROM landfall.schema_migration;

-- name: archived_states
-- How many notifications of a span are in which state, according to the counters, and which measures count
-- them? One row per app and state.
-- $1 from (inclusive) and $2 to (exclusive), both at quarter hours
SELECT coalesce(slug, app_id::text) AS app, state::bigint AS state, notifications,
       CASE WHEN state & {{attempted}} = 0
            THEN ARRAY[CASE WHEN state & {{local}} = 0 THEN 'unmatched' ELSE 'local' END]
            ELSE ARRAY(SELECT key FROM jsonb_each(to_jsonb(measure)) WHERE value = 'true') END AS measures
  FROM (SELECT app_id, state, sum(notifications)::bigint AS notifications
          FROM landfall.headline_by_quarter
         WHERE quarter >= $1 AND quarter < $2 AND app_id <> ALL ({{copies_of_apps}})
         GROUP BY app_id, state
        HAVING sum(notifications) <> 0) AS counted
  LEFT JOIN landfall.app USING (app_id)
 CROSS JOIN LATERAL landfall.measures(state) AS measure
 ORDER BY app, state;
