-- Which notifications of an app are recorded, and what is known of each? One row per notification.
-- $1 app_id
-- Bits of state: 1 attempted, 2 accepted, 8 arrived.
SELECT notification_id::text AS notification_id,
       state & 1 <> 0 AS has_response,
       state & 2 <> 0 AS is_accepted,
       state & 8 <> 0 AS has_arrived
FROM landfall.delivery
WHERE app_id = $1;
