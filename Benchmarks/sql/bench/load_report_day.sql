-- Fills a part of one day with notifications of one campaign, evenly spread. Of 100, three are rejected, each
-- in one of four ways; of the accepted ones, 70 in 100 arrived and 5 in 100 were clicked.
-- $1 app_id, $2 start, $3 end, both on one UTC day, $4 how many, $5 campaign and $6 variant, empty for none
--
-- 1 attempted, 2 accepted, 4 can report, 8 arrived, 32 clicked; from 65536: the classes of rejections, by
-- finality.
WITH word AS (
    SELECT (SELECT array_agg(segment_id ORDER BY segment_id) FROM landfall.segment WHERE app_id = $1)   AS segments,
           (SELECT campaign_id FROM landfall.campaign WHERE app_id = $1 AND key = $5 AND variant = $6)  AS campaign_id,
           (SELECT min(response_id) FROM landfall.provider_response)                                        AS first_response,
           (SELECT min(token_id) FROM landfall.token WHERE app_id = $1)                                 AS first_token,
           (SELECT max(token_id) - min(token_id) + 1 FROM landfall.token WHERE app_id = $1)             AS tokens
), notification AS (
    SELECT number, md5($2::text || $5 || number) AS digits,
           hashint8extended(number, extract(epoch FROM $2::timestamptz)::bigint + hashtext($5)) & 9223372036854775807 AS dice,
           (extract(epoch FROM $2::timestamptz) * 1000
            + number * (extract(epoch FROM $3::timestamptz - $2::timestamptz) * 1000) / $4)::bigint AS sent_at_ms
    FROM generate_series(0, $4::bigint - 1) AS number
), sent AS (
    SELECT *, dice % 100 < 3 AS is_rejected, dice / 100 % 100 < 70 AS has_arrived, dice / 10000 % 100 < 5 AS was_clicked,
           dice / 1000000 % 4 AS rejection, dice / 10000000 AS chosen
    FROM notification
)
INSERT INTO landfall.delivery (notification_id, sent_at, app_id, campaign_id, segment_id, token_id, installation_id,
                               response_id, state, arrived_after_ms, clicked_after_ms, response_rank)
SELECT (lpad(to_hex(sent_at_ms), 12, '0') || '7' || left(digits, 3) || '8' || substr(digits, 4, 15))::uuid,
       timestamptz 'epoch' + sent_at_ms * interval '1 millisecond', $1, word.campaign_id,
       segments[1 + chosen % word.tokens % array_length(segments, 1)], token.token_id, token.installation_id,
       CASE WHEN is_rejected THEN first_response + 1 + rejection ELSE first_response END,
       CASE WHEN is_rejected THEN 1 + (ARRAY[65536, 131072, 8388608, 16777216])[1 + rejection]
            ELSE 7 + CASE WHEN has_arrived THEN 8 ELSE 0 END + CASE WHEN was_clicked THEN 32 ELSE 0 END END,
       CASE WHEN has_arrived AND NOT is_rejected THEN 200 + chosen % 3600 * (chosen % 60) END,
       CASE WHEN was_clicked AND NOT is_rejected THEN 300000 + chosen % 36000 * (chosen % 60) END,
       CASE WHEN is_rejected THEN (ARRAY[1, 2, 8, 9])[1 + rejection] ELSE 0 END
FROM sent
CROSS JOIN word
JOIN landfall.token ON token.token_id = word.first_token + chosen % word.tokens;
