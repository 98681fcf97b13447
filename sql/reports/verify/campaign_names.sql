-- What are the names of these campaigns?
--
-- Parameters: $1 campaign ids.
-- Grain: one row per campaign and variant.

SELECT campaign_id, key, variant
  FROM landfall.campaign
 WHERE campaign_id = ANY ($1);
