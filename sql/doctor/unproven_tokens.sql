-- How many tokens that devices registered are unproven, so that no feed contains them, and of how many installations?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive) of the registration.
-- Grain: one row.
SELECT count(*) AS tokens, count(DISTINCT installation_id) AS installations
  FROM landfall.token
 WHERE app_id = $1
   AND is_unproven
   AND NOT is_vouched
   AND last_accepted_at IS NULL
   AND state <> 'retired'
   AND last_registered_at >= $2
   AND last_registered_at < $3;
