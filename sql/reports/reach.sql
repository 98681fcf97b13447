-- How many installations were aimed at, reached and engaged?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), $4 IANA time zone,
--             $5 unit of local time to break down by (hour, day, week, month; null: none), $6 break down by campaign,
--             $7 break down by variant, $8 campaigns and $9 variants to keep (null: all),
--             $10 and $11 traits of segment to break down by (null: none), $12 segments to keep (null: all),
--             bits of delivery.state: $13 attempted, $14 accepted, $15 any sign that the device had it, $16 clicked.
-- Grain: one row per local period, campaign, variant and trait, as far as they were asked for; by time, then the largest first.
-- The totals are the same question with no breakdown: distinct over the window, not the sum of the rows.
--
-- A token that no installation has registered stands for itself, under its negative id. Notifications that name neither
-- token nor installation (broadcast channels) have nobody to count; they are in without_target.

WITH selected AS (
    SELECT date_trunc($5, delivery.sent_at AT TIME ZONE $4) AS period,
           CASE WHEN $5 = 'hour'
                THEN extract(EPOCH FROM (delivery.sent_at AT TIME ZONE $4) - (delivery.sent_at AT TIME ZONE 'UTC'))::int / 60
           END AS utc_offset_minutes,
           CASE WHEN $6 THEN coalesce(campaign.key, '') END AS campaign,
           CASE WHEN $7 THEN coalesce(campaign.variant, '') END AS variant,
           landfall.segment_trait(segment, $10) AS first_trait,
           landfall.segment_trait(segment, $11) AS second_trait,
           delivery.installation_id,
           delivery.token_id,
           delivery.state & $14 <> 0 AND delivery.state & $15 <> 0 AS was_reached,
           delivery.state & $14 <> 0 AND delivery.state & $16 <> 0 AS was_engaged
      FROM landfall.delivery
      LEFT JOIN landfall.campaign ON campaign.app_id = delivery.app_id AND campaign.campaign_id = delivery.campaign_id
      LEFT JOIN landfall.segment ON segment.app_id = delivery.app_id AND segment.segment_id = delivery.segment_id
     WHERE delivery.app_id = $1
       AND delivery.sent_at >= $2 AND delivery.sent_at < $3
       AND delivery.state & $13 <> 0
       AND ($8 IS NULL OR coalesce(campaign.key, '') = ANY ($8))
       AND ($9 IS NULL OR coalesce(campaign.variant, '') = ANY ($9))
       AND ($12::bigint[] IS NULL OR delivery.segment_id = ANY ($12))
), aimed AS (
    SELECT period, utc_offset_minutes, campaign, variant, first_trait, second_trait, installation_id, token_id,
           bool_or(was_reached) AS was_reached,
           bool_or(was_engaged) AS was_engaged,
           count(*)             AS notification_count
      FROM selected
     GROUP BY period, utc_offset_minutes, campaign, variant, first_trait, second_trait, installation_id, token_id
), targeted AS (
    SELECT period, utc_offset_minutes, campaign, variant, first_trait, second_trait,
           coalesce(aimed.installation_id, owner.installation_id, -aimed.token_id) AS target_id,
           bool_or(was_reached)    AS was_reached,
           bool_or(was_engaged)    AS was_engaged,
           sum(notification_count) AS notification_count
      FROM aimed
      -- Nearly all name their installation: one look-up for each of the others, whatever the planner thinks how many there are.
      LEFT JOIN LATERAL (
          SELECT token.installation_id
            FROM landfall.token
           WHERE aimed.installation_id IS NULL AND token.token_id = aimed.token_id AND token.app_id = $1
          OFFSET 0
      ) AS owner ON true
     GROUP BY period, utc_offset_minutes, campaign, variant, first_trait, second_trait, target_id
), counted AS (
    SELECT period, utc_offset_minutes, campaign, variant, first_trait, second_trait,
           count(target_id)                                                              AS targeted,
           count(target_id) FILTER (WHERE was_reached)                                   AS reached,
           count(target_id) FILTER (WHERE was_engaged)                                   AS engaged,
           coalesce(sum(notification_count) FILTER (WHERE target_id IS NULL), 0)::bigint AS without_target
      FROM targeted
     GROUP BY period, utc_offset_minutes, campaign, variant, first_trait, second_trait
)
SELECT to_char(period, 'YYYY-MM-DD"T"HH24:MI:SS') AS period, utc_offset_minutes, campaign, variant, first_trait, second_trait,
       targeted, reached, engaged, without_target
  FROM counted
 ORDER BY counted.period, utc_offset_minutes DESC, targeted DESC, campaign, variant, first_trait, second_trait;
