-- Names of campaigns and responses, by id.

-- What provider_reason says about a response: $1 provider, $2 status, $3 reason. No row if the provider is
-- not listed and the status is no acceptance. One that is not listed counts as unknown, or as any other
-- reason under its status, and landfall doctor reports it. The same lookup as RejectionTaxonomy.outcome, step
-- by step.
-- part: listed_response
WITH listed AS MATERIALIZED (
    SELECT entry.status, entry.reason, entry.outcome_class, entry.token_verdict, entry.retryable,
           entry.reason NOT IN ('', '*', 'NO_RESPONSE') AS is_word
      FROM landfall.provider_reason AS entry
     WHERE entry.provider = $1
), posted AS (
    SELECT CASE WHEN $2 = 0 AND $3 = '' THEN COALESCE(max(listed.reason), '') ELSE $3 END AS word
      FROM listed
     WHERE listed.status = '0' AND listed.reason = 'NO_RESPONSE'
), step AS (
    -- The exact word under the status, its range, or any status.
    SELECT CASE listed.status WHEN $2::text THEN 1 WHEN '*' THEN 3 ELSE 2 END AS place, listed.retryable, listed.token_verdict,
           true AS is_listed
      FROM listed, posted
     WHERE listed.reason = posted.word AND listed.status IN ($2::text, $2 / 100 || 'xx', '*')
    UNION ALL
    -- A word that means the same rejection under every status.
    SELECT 4, min(listed.retryable), min(listed.token_verdict), true
      FROM listed, posted
     WHERE listed.reason = posted.word AND listed.is_word
    HAVING count(DISTINCT (listed.outcome_class, listed.token_verdict)) = 1 AND min(listed.outcome_class) <> 'accepted'
    UNION ALL
    -- Any other word under the status or its range. If words are listed, it does not cover the rest.
    SELECT CASE listed.status WHEN $2::text THEN 5 ELSE 8 END, listed.retryable, listed.token_verdict,
           (posted.word = '' AND listed.token_verdict <> 'keep')
           OR NOT EXISTS (SELECT 1 FROM listed AS other WHERE other.status = listed.status AND other.is_word)
      FROM listed, posted
     WHERE listed.reason = '*' AND listed.status IN ($2::text, $2 / 100 || 'xx')
    UNION ALL
    -- A status without a word, if all its words mean the same.
    SELECT 6, min(listed.retryable), min(listed.token_verdict), true
      FROM listed, posted
     WHERE listed.status = $2::text AND listed.is_word AND posted.word = ''
    HAVING count(DISTINCT (listed.outcome_class, listed.token_verdict)) = 1
    UNION ALL
    -- A 2xx is an acceptance only without a word.
    SELECT 7, 'no', 'keep', posted.word = '' FROM posted WHERE $2 BETWEEN 200 AND 299
    UNION ALL
    SELECT 9, listed.retryable, listed.token_verdict, false FROM listed WHERE listed.status = '*' AND listed.reason = '*'
)
SELECT step.retryable, step.token_verdict, step.is_listed FROM step ORDER BY step.place LIMIT 1

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
  LEFT JOIN LATERAL ({{listed_response(known.provider; known.status; known.reason)}}) AS listed ON true
 WHERE known.response_id = ANY ($1::bigint[]);
