-- How did people click: with which action, on which category of notification, with the app in which state?
--
-- Parameters: $1 to $12 as in questions.sql, $13 what is known of the click to break down by (action,
--             category, app_state; an empty array: none).
-- Grain: one row per local period, campaign, variant, trait and kind of click, as requested; in order of
-- time, then the largest first.
--
-- The counters know that a notification was clicked, not how, so the notifications themselves are read.

WITH counted AS (
    SELECT landfall.report_period(delivery.sent_at, $4, $5) AS period,
           landfall.report_utc_offset(delivery.sent_at, $4, $5) AS utc_offset_minutes,
           CASE WHEN $6 OR $7 THEN delivery.campaign_id END AS campaign_id,
           CASE WHEN $10 IS NOT NULL OR $11 IS NOT NULL THEN delivery.segment_id END AS segment_id,
           CASE WHEN 'action' = ANY ($13::text[]) THEN coalesce(delivery.action, '') END       AS action,
           CASE WHEN 'category' = ANY ($13::text[]) THEN coalesce(delivery.category, '') END   AS category,
           CASE WHEN 'app_state' = ANY ($13::text[]) THEN coalesce(delivery.app_state, '') END AS app_state,
           count(*)                                                                                                AS clicked,
           -- A tap opens the app, whatever the app says about its state at that moment.
           count(*) FILTER (WHERE (delivery.action IS NOT NULL AND delivery.app_state = 'background') IS NOT TRUE) AS opened,
           count(*) FILTER (WHERE delivery.has_text)                                                               AS with_text
      FROM landfall.delivery
     WHERE delivery.app_id = $1 AND delivery.sent_at >= $2 AND delivery.sent_at < $3
       AND delivery.state & {{accepted_and_clicked}} = {{accepted_and_clicked}}
       AND ($12::bigint[] IS NULL OR delivery.segment_id = ANY ($12))
       AND {{is_selected(delivery.campaign_id; $1; $8; $9)}}
     GROUP BY 1, 2, 3, 4, 5, 6, 7
), named AS (
    {{named_counts}}
)
SELECT to_char(named.period, 'YYYY-MM-DD"T"HH24:MI:SS') AS period, utc_offset_minutes, campaign, variant, first_trait, second_trait,
       action, category, app_state,
       sum(clicked)::bigint AS clicked, sum(opened)::bigint AS opened, sum(with_text)::bigint AS with_text
  FROM named
 WHERE clicked IS NOT NULL
 GROUP BY named.period, utc_offset_minutes, campaign, variant, first_trait, second_trait, action, category, app_state
 ORDER BY named.period, utc_offset_minutes DESC, sum(clicked) DESC, campaign, variant, first_trait, second_trait, action, category,
          app_state;
