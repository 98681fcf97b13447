-- By which answers were notifications rejected, and what is known about these answers?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours, $4 IANA time zone,
--             $5 unit of local time to break down by (hour, day, week, month; null: none), $6 break down by campaign,
--             $7 break down by variant, $8 campaigns and $9 variants to keep (null: all),
--             $10 and $11 traits of segment to break down by (null: none), $12 segments to keep (null: all),
--             $13 a third trait to break down by (null: none), $14 classes of rejection by rank.
-- Grain: one row per local period, campaign, variant and trait, as far as they were asked for, and answer; by time, then the
-- most frequent first.
--
-- Where an answer's words were not kept (its id is below 0), its class is; the provider is then the one it was sent through.

WITH selected AS (
    -- Said so that the planner sees which of these are always null: it would expect a group for each combination, and sort.
    SELECT CASE WHEN $5 IS NOT NULL THEN counter.period END AS period,
           CASE WHEN $5 = 'hour' THEN counter.utc_offset_minutes END AS utc_offset_minutes,
           CASE WHEN $6 THEN coalesce(campaign.key, '') END AS campaign,
           CASE WHEN $7 THEN coalesce(campaign.variant, '') END AS variant,
           landfall.segment_trait(segment, $10) AS first_trait,
           landfall.segment_trait(segment, $11) AS second_trait,
           landfall.segment_trait(segment, $13) AS third_trait,
           counter.answer_id,
           CASE WHEN counter.answer_id < 0 THEN segment.provider END AS sent_through,
           counter.rejected
      FROM landfall.rejection_counters($1, $2, $3, $4, $5) AS counter
      LEFT JOIN landfall.campaign ON campaign.app_id = $1 AND campaign.campaign_id = counter.campaign_id
      LEFT JOIN landfall.segment ON segment.app_id = $1 AND segment.segment_id = counter.segment_id
     WHERE ($8 IS NULL OR coalesce(campaign.key, '') = ANY ($8))
       AND ($9 IS NULL OR coalesce(campaign.variant, '') = ANY ($9))
       AND ($12::bigint[] IS NULL OR counter.segment_id = ANY ($12))
), counted AS (
    SELECT period, utc_offset_minutes, campaign, variant, first_trait, second_trait, third_trait, answer_id, sent_through,
           sum(rejected)::bigint AS rejected
      FROM selected
     GROUP BY period, utc_offset_minutes, campaign, variant, first_trait, second_trait, third_trait, answer_id,
              sent_through
    HAVING sum(rejected) <> 0
), answer AS (
    SELECT asked.answer_id, provider_answer.provider, provider_answer.status, provider_answer.reason,
           provider_answer.outcome_class, listed.retryable, listed.token_verdict
      FROM (SELECT DISTINCT answer_id FROM counted) AS asked
      JOIN landfall.provider_answer ON provider_answer.answer_id = asked.answer_id
      LEFT JOIN LATERAL landfall.listed_answer(
                    provider_answer.provider, provider_answer.status, provider_answer.reason) AS listed ON true
)
SELECT to_char(period, 'YYYY-MM-DD"T"HH24:MI:SS') AS period, utc_offset_minutes, campaign, variant, first_trait, second_trait,
       third_trait,
       coalesce(answer.provider, sent_through, '')                                    AS provider,
       answer.status,
       nullif(answer.reason, '')                                                      AS reason,
       coalesce(answer.outcome_class, ($14::text[])[(-counted.answer_id)::int], 'unknown') AS outcome_class,
       answer.retryable,
       answer.token_verdict,
       rejected
  FROM counted
  LEFT JOIN answer ON answer.answer_id = counted.answer_id
 ORDER BY counted.period, utc_offset_minutes DESC, rejected DESC, campaign, variant, first_trait, second_trait, third_trait,
          provider, status, reason;
