-- Names of campaigns and responses, by id.

-- part: named_counts
-- A full join is never a nested loop, even if few rows are expected. Names without rows are dropped below.
    SELECT counted.*,
           CASE WHEN $6 THEN coalesce(campaign.key, '') END AS campaign,
           CASE WHEN $7 THEN coalesce(campaign.variant, '') END AS variant,
           segment.first_trait, segment.second_trait
      FROM counted
      FULL JOIN (SELECT campaign_id, key, variant FROM landfall.campaign
                  WHERE app_id = $1 AND ($6 OR $7)) AS campaign ON campaign.campaign_id = counted.campaign_id
      FULL JOIN (SELECT segment_id, {{trait($10)}} AS first_trait,
                        {{trait($11)}} AS second_trait
                   FROM landfall.segment WHERE app_id = $1 AND $10 IS NOT NULL) AS segment
        ON segment.segment_id = counted.segment_id
    OFFSET 0

-- name: campaign_names
-- What are the names of these campaigns?
--
-- Parameters: $1 campaign ids.
-- Grain: one row per campaign and variant.

SELECT campaign_id, key, variant
  FROM landfall.campaign
 WHERE campaign_id = ANY ($1);

-- name: responses
-- In which words did providers reject pushes, and what is known about these responses?
--
-- Parameters: $1 response_ids.
-- Grain: one row per response.

SELECT known.response_id, known.provider, known.status, nullif(known.reason, '') AS reason,
       known.outcome_class AS rejection_class, coalesce(listed.retryable, 'no') AS retry,
       coalesce(listed.token_verdict, 'keep') AS token_verdict
  FROM landfall.provider_response AS known
  LEFT JOIN LATERAL landfall.listed_response(known.provider, known.status, known.reason) AS listed ON true
 WHERE known.response_id = ANY ($1::bigint[]);
