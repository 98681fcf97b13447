-- Counts what devices say about their own trouble. A version of the app counts under its name if a device has registered it with
-- this kit.
-- $1 app_id[], $2 quarter, $3 shard, $4 trouble[], $5 app_version[], $6 kit[], $7 events[]
INSERT INTO landfall.device_trouble AS known (app_id, quarter, trouble, app_version, kit, shard, events)
SELECT posted.app_id, $2, posted.trouble, coalesce(registered.app_version, ''), coalesce(registered.kit, ''), $3::smallint,
       sum(posted.events)
  FROM unnest($1::bigint[], $4::text[], $5::text[], $6::text[], $7::bigint[])
       AS posted (app_id, trouble, app_version, kit, events)
  LEFT JOIN LATERAL (
           SELECT installation.app_version, installation.kit
             FROM landfall.installation
            WHERE installation.app_id = posted.app_id AND installation.app_version = posted.app_version
              AND installation.kit = posted.kit AND installation.kit <> ''
            LIMIT 1
       ) AS registered ON true
 GROUP BY 1, 3, 4, 5
 -- In one order, so that two writers cannot deadlock.
 ORDER BY 1, 3, 4, 5
ON CONFLICT (app_id, quarter, trouble, app_version, kit, shard) DO UPDATE SET
    events = known.events + excluded.events;
