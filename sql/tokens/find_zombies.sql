-- Which installations are sent many pushes but never report anything, although others with the same build
-- report arrivals? One row per build and listed installation; one row for a build without any.
-- $1 app_id, $2 from (inclusive) and $3 to (exclusive) of sent_at, $4 kinds of token that show notifications,
-- $5 minimum number of pushes, $6 minimum time between the first and the last of them (ms), $7 minimum share
-- of reporting installations among those of the build with as many pushes, $8 not heard from since this
-- instant, $9 limit of listed installations per build; bits of delivery.state: $10 accepted and reportable,
-- $11 seen on the device, $12 recalled The only read of delivery comes first, bounded by its partitions. The
-- extension runs only where alerts are allowed. Lookups by an id do not name the app as well: an index by app
-- would be read for each of them (docs/decisions/0032).
WITH pushed AS MATERIALIZED (
    SELECT delivery.installation_id, delivery.segment_id, count(*) AS pushes,
           bool_or(delivery.state & $11 <> 0) AS has_reported,
           min(delivery.sent_at) AS first_at, max(delivery.sent_at) AS last_at
    FROM landfall.delivery
    WHERE delivery.app_id = $1 AND delivery.sent_at >= $2 AND delivery.sent_at < $3
      AND delivery.state & $10 = $10 AND delivery.state & $12 = 0 AND delivery.installation_id IS NOT NULL
    GROUP BY delivery.installation_id, delivery.segment_id
), told AS MATERIALIZED (
    SELECT pushed.installation_id, segment.platform, segment.app_version,
           sum(pushed.pushes)::bigint AS pushes,
           bool_or(pushed.has_reported) AS has_reported,
           bool_or(bool_or(pushed.has_reported)) OVER (PARTITION BY pushed.installation_id) AS is_reporter,
           -- An installation that was updated in the window has several builds, and counts in the latest.
           row_number() OVER (PARTITION BY pushed.installation_id ORDER BY max(pushed.last_at) DESC, segment.platform,
                              segment.app_version) = 1 AS is_latest,
           min(pushed.first_at) AS first_at, max(pushed.last_at) AS last_at
    FROM pushed
    CROSS JOIN LATERAL (SELECT platform, app_version
                        FROM landfall.segment
                        WHERE segment_id = pushed.segment_id AND permission NOT IN ('denied', 'not_determined')
                        OFFSET 0) AS segment
    GROUP BY pushed.installation_id, segment.platform, segment.app_version
), build AS (
    SELECT platform, app_version, count(*) AS judged, count(*) FILTER (WHERE has_reported) AS reporting
    FROM told
    WHERE pushes >= $5
    GROUP BY platform, app_version
), zombie AS (
    SELECT told.*, installation.device_id, installation.model,
           greatest(installation.last_sign_of_life_at, token.last_sign_of_life_at) AS heard_at
    FROM told
    CROSS JOIN LATERAL (
        SELECT device_id, model, last_sign_of_life_at FROM landfall.installation
        WHERE installation_id = told.installation_id AND erased_at IS NULL AND permission <> 'denied'
          AND last_sign_of_life_at < $8
        OFFSET 0
    ) AS installation
    JOIN LATERAL (
        SELECT max(token.last_sign_of_life_at) AS last_sign_of_life_at FROM landfall.token
        WHERE token.installation_id = told.installation_id AND token.state IS NOT DISTINCT FROM 'active'
          AND token.kind = ANY ($4::text[]) AND (token.expires_at IS NULL OR token.expires_at > $3)
    ) AS token ON token.last_sign_of_life_at < $8
    WHERE told.pushes >= $5 AND told.is_latest
      AND told.last_at - told.first_at >= $6 * interval '1 millisecond' AND NOT told.is_reporter
      AND ((told.platform, told.app_version)
           IN (SELECT platform, app_version FROM build WHERE reporting >= judged * $7)) IS TRUE
), paired AS (
    SELECT zombie.*,
           (SELECT min(twin.device_id::text)
            FROM landfall.account_binding AS own
            JOIN landfall.account_binding AS shared
              ON shared.app_id = $1 AND shared.account = own.account
             AND shared.installation_id <> own.installation_id AND shared.unbound_at IS NULL
             AND (shared.installation_id IN (SELECT installation_id FROM told WHERE has_reported)) IS TRUE
            JOIN landfall.installation AS twin
              ON twin.installation_id = shared.installation_id AND twin.model = zombie.model
            WHERE own.installation_id = zombie.installation_id AND own.unbound_at IS NULL
              AND zombie.model <> '') AS twin_device_id
    FROM zombie
), ranked AS MATERIALIZED (
    SELECT paired.*,
           row_number() OVER (PARTITION BY platform, app_version ORDER BY pushes DESC, device_id) AS rank,
           count(*) OVER (PARTITION BY platform, app_version) AS zombies,
           count(twin_device_id) OVER (PARTITION BY platform, app_version) AS duplicates
    FROM paired
)
SELECT build.platform, build.app_version, build.judged, build.reporting,
       build.reporting >= build.judged * $7 AS is_reporting,
       coalesce(ranked.zombies, 0) AS zombies, coalesce(ranked.duplicates, 0) AS duplicates,
       ranked.device_id::text AS device_id, ranked.model, ranked.pushes, ranked.first_at AS first_push_at,
       ranked.last_at AS last_push_at, ranked.heard_at, ranked.twin_device_id
FROM build
LEFT JOIN ranked
  ON ranked.platform = build.platform AND ranked.app_version = build.app_version AND ranked.rank <= greatest($9, 1)
ORDER BY zombies DESC, build.judged DESC, build.platform, build.app_version, ranked.rank;
