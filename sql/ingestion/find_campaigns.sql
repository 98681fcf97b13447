-- Which ids do these campaigns have? One row per campaign found, with its position.
-- $1 app_id[], $2 key[], $3 variant[]
SELECT asked.position, campaign.campaign_id
FROM unnest($1::bigint[], $2::text[], $3::text[]) WITH ORDINALITY AS asked (app_id, key, variant, position)
JOIN landfall.campaign
  ON campaign.app_id = asked.app_id AND campaign.key = asked.key AND campaign.variant = asked.variant;
