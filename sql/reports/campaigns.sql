-- Which campaigns has an app sent?
--
-- Parameters: $1 app.
-- Grain: one row per campaign, whatever its variants; the empty one stands for notifications without a campaign.

SELECT DISTINCT key
  FROM landfall.campaign
 WHERE app_id = $1
 ORDER BY key;
