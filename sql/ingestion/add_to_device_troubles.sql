-- Counts the trouble that devices report about themselves, at most 1,000 per device and quarter hour.
-- $1 app_id[], $2 quarter, $3 trouble[], $4 reporter_id[], $5 events[]; each device and trouble once
INSERT INTO landfall.device_trouble AS known (app_id, quarter, trouble, reporter_id, events)
SELECT app_id, $2, trouble, reporter_id, least(events, 1000)
  FROM unnest($1::bigint[], $3::text[], $4::bigint[], $5::bigint[]) AS posted (app_id, trouble, reporter_id, events)
 -- In one order, so that two writers cannot deadlock.
 ORDER BY app_id, trouble, reporter_id
ON CONFLICT (app_id, quarter, trouble, reporter_id) DO UPDATE SET
    events = least(known.events + excluded.events, 1000)
 WHERE known.events < 1000;
