-- Fills a part of one day with accepted notifications, evenly spread. Nine of ten arrived.
-- $1 app_id, $2 start (inclusive), $3 end (exclusive), both on one UTC day, $4 how many
WITH word AS (
    SELECT (SELECT array_agg(campaign_id) FROM landfall.campaign WHERE app_id = $1)                   AS campaigns,
           (SELECT array_agg(segment_id) FROM landfall.segment WHERE app_id = $1)                     AS segments,
           (SELECT min(response_id) FROM landfall.provider_response WHERE status = 200)                   AS response_id
), target AS (
    SELECT row_number() OVER () - 1 AS number, token_id, installation_id FROM landfall.token WHERE app_id = $1
), notification AS (
    SELECT number, md5($2::text || number) AS digits,
           hashint8extended(number, extract(epoch FROM $2::timestamptz)::bigint) & 9223372036854775807 AS dice,
           (extract(epoch FROM $2::timestamptz) * 1000
            + number * (extract(epoch FROM $3::timestamptz - $2::timestamptz) * 1000) / $4)::bigint AS sent_at_ms
    FROM generate_series(0, $4::bigint - 1) AS number
)
INSERT INTO landfall.delivery (notification_id, sent_at, app_id, campaign_id, segment_id, token_id, installation_id,
                               response_id, state, previous_state, arrived_after_ms, response_rank)
SELECT (lpad(to_hex(sent_at_ms), 12, '0') || '7' || left(digits, 3) || '8' || substr(digits, 4, 15))::uuid,
       timestamptz 'epoch' + sent_at_ms * interval '1 millisecond', $1,
       campaigns[1 + (notification.number * 20 / $4 + dice % 4) % array_length(campaigns, 1)],
       segments[1 + dice / 10 % array_length(segments, 1)],
       token_id, installation_id, response_id,
       -- 1 attempted, 2 accepted, 4 can report, 8 arrived
       CASE WHEN dice / 1000 % 10 = 0 THEN 7 ELSE 15 END,
       CASE WHEN dice / 1000 % 10 = 0 THEN 0 ELSE 7 END,
       CASE WHEN dice / 1000 % 10 = 0 THEN NULL ELSE 1250 END, 0
FROM notification
JOIN target ON target.number = dice / 100000 % (SELECT count(*) FROM target)
CROSS JOIN word;
