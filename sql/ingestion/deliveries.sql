-- The rows of notifications: read before events of devices, written by every batch, moved if they are under
-- a provisional date or id.

-- part: columns
notification_id, app_id, sent_at, campaign_id, segment_id, token_id, installation_id, response_id, state, arrived_after_ms,
    presented_after_ms, clicked_after_ms, dismissed_after_ms, response_rank, sent_after_ms, timed_by_receipt,
    arrived_version, reporters, arrived_kit, witness, {{facts: #}}

-- part: content
delivery.arrived_after_ms, delivery.presented_after_ms, delivery.clicked_after_ms, delivery.dismissed_after_ms,
          delivery.campaign_id, delivery.segment_id, delivery.token_id, delivery.installation_id, delivery.response_id,
          delivery.response_rank, delivery.timed_by_receipt, delivery.arrived_version, delivery.reporters,
          delivery.arrived_kit, delivery.witness, {{facts: delivery.#}}

-- name: find_recorded
-- Which of these notifications are recorded, and in which state? One row per key that has a row. Reads only.
-- $1 notification_id[], $2 app_id[], $3 sent_at[], $4 the earliest and $5 the latest of these dates.
-- OFFSET 0 makes the planner look up each key in the index, however many it expects.
SELECT asked.notification_id, asked.app_id, asked.sent_at, found.state, found.installation_id, found.sent_after_ms,
       found.reporters, found.token_id
FROM unnest($1::uuid[], $2::bigint[], $3::timestamptz[]) AS asked (notification_id, app_id, sent_at)
CROSS JOIN LATERAL (
    SELECT delivery.state, delivery.installation_id, delivery.sent_after_ms, delivery.reporters, delivery.token_id
    FROM landfall.delivery
    WHERE delivery.notification_id = asked.notification_id
      AND delivery.app_id = asked.app_id
      AND delivery.sent_at = asked.sent_at
      AND delivery.sent_at BETWEEN $4 AND $5
    OFFSET 0
) AS found;

-- name: record_deliveries
-- Adds the bits of a batch of events to the rows of their notifications. One row per notification whose state
-- changed, with the state before and after, for the counters.
-- $1 rows of the type, one per notification, sorted by key, so that all batches lock rows in one order.
--
-- Fields from a response (campaign, segment, target, time of sending) and facts (lists.txt) stay once they
-- are set. The token and its holder are set only by responses that add bits, so that the values posted with a
-- repeat do not matter. The response with the lowest rank counts, and so do its facts in the list counted.
-- Device times are the earliest of the batch that first reported their kind and then stay, as does the
-- version that an arrival named, so that the previous bits tell what a row counted as. If a device bit is
-- taken back (see recorded_state), they stay until the next such event. A repeated event changes nothing.
--
-- The state posted is that of a new row. If an event named a registered device, reporters has all device
-- bits, and the row's installation decides which of them count.
--
-- State 0 marks a pointer: the notification's row is under another sent_at, sent_after_ms from this one. An
-- event with state 0 asks for a pointer, which is written unless a response is already recorded here. Rows
-- that are pointers are always returned.
--
-- Bits of state (masks.txt) are literals, because this statement runs most. A negative state is witnessed.
--
-- The rows also have the response that counts as the rejection, before and after (ranks other than 0,
-- accepted, and 99, none), and the latency buckets.
INSERT INTO landfall.delivery AS known ({{columns}})
SELECT {{columns}}
FROM unnest($1::{{type: landfall.#}}[]) AS event
ON CONFLICT (notification_id, app_id, sent_at) DO UPDATE SET
    previous_state       = known.state,
    state                = CASE WHEN known.state = 0 OR (excluded.state = 0 AND known.state & {{attempted}} = 0)
                              THEN 0
                              ELSE landfall.recorded_state(
                                  known.state, known.reporters, known.installation_id,
                                  excluded.state, excluded.reporters, excluded.installation_id) END,
    reporters            = CASE
                              WHEN known.reporters IS NULL AND excluded.reporters IS NULL THEN NULL
                              WHEN known.state = 0 OR excluded.state = 0 THEN known.reporters
                              WHEN known.installation_id IS NOT NULL THEN NULL
                              -- Settled now. The row keeps what the writer needs to recognize new events.
                              WHEN excluded.installation_id IS NOT NULL
                                  AND excluded.state & ~known.state & ~({{not_from_responses}}) <> 0 THEN known.reporters
                              ELSE landfall.joined_reporters(
                                  known.state, known.reporters, excluded.state, excluded.reporters) END,
    sent_after_ms        = CASE WHEN known.state = 0 OR known.state & {{attempted}} = {{attempted}}
                              THEN known.sent_after_ms ELSE excluded.sent_after_ms END,
    campaign_id          = coalesce(known.campaign_id, excluded.campaign_id),
    segment_id           = coalesce(known.segment_id, excluded.segment_id),
    token_id             = CASE WHEN excluded.state & ~known.state & ~({{not_from_responses}}) <> 0
                              THEN coalesce(known.token_id, excluded.token_id) ELSE known.token_id END,
    installation_id      = CASE WHEN excluded.state & ~known.state & ~({{not_from_responses}}) <> 0
                              THEN coalesce(known.installation_id, excluded.installation_id)
                              ELSE known.installation_id END,
    previous_response_id = CASE WHEN known.response_rank NOT IN (0, 99) THEN known.response_id END,
    response_id          = CASE WHEN excluded.response_rank < known.response_rank
                              THEN excluded.response_id ELSE known.response_id END,
    response_rank        = least(known.response_rank, excluded.response_rank),
    arrived_after_ms     = CASE WHEN known.state & {{arrived}} = 0 THEN excluded.arrived_after_ms
                              ELSE known.arrived_after_ms END,
    presented_after_ms   = CASE WHEN known.state & {{presented}} = 0 THEN excluded.presented_after_ms
                              ELSE known.presented_after_ms END,
    clicked_after_ms     = CASE WHEN known.state & {{clicked}} = 0 THEN excluded.clicked_after_ms
                              ELSE known.clicked_after_ms END,
    dismissed_after_ms   = CASE WHEN known.state & {{dismissed}} = 0 THEN excluded.dismissed_after_ms
                              ELSE known.dismissed_after_ms END,
    timed_by_receipt     = nullif((coalesce(known.timed_by_receipt, 0) & known.state)
                              | (coalesce(excluded.timed_by_receipt, 0) & ~known.state), 0),
    arrived_version      = CASE WHEN known.state & {{arrived}} = 0 THEN excluded.arrived_version ELSE known.arrived_version END,
    arrived_kit          = CASE WHEN known.state & {{arrived}} = 0 THEN excluded.arrived_kit ELSE known.arrived_kit END,
    witness              = CASE WHEN known.state >= 0 THEN excluded.witness ELSE known.witness END,
    {{response device arrival: # = coalesce(known.#, excluded.#)}},
    {{counted: # = CASE WHEN excluded.response_rank < known.response_rank THEN excluded.# ELSE known.# END}},
    {{click: # = CASE WHEN known.state & {{clicked}} = 0 THEN excluded.# ELSE coalesce(known.#, excluded.#) END}}
WHERE landfall.recorded_state(known.state, known.reporters, known.installation_id,
                              excluded.state, excluded.reporters, excluded.installation_id) <> known.state
   OR excluded.state = 0
   -- Reported after the arrival, in an event of its own that adds no bit.
   OR (excluded.extension_outcome IS NOT NULL AND known.extension_outcome IS NULL AND known.state <> 0)
   OR ((known.reporters IS NOT NULL OR excluded.reporters IS NOT NULL) AND known.installation_id IS NULL
       AND landfall.joined_reporters(known.state, known.reporters, excluded.state, excluded.reporters)
           IS DISTINCT FROM known.reporters)
RETURNING notification_id, app_id, sent_at, campaign_id, segment_id, token_id, previous_state, state,
          installation_id, CASE WHEN response_rank NOT IN (0, 99) THEN response_id END AS rejecting_response_id,
          previous_response_id, landfall.latency_bucket_of(arrived_after_ms - coalesce(sent_after_ms, 0)) AS arrival_bucket,
          landfall.latency_bucket_of(clicked_after_ms - arrived_after_ms) AS click_bucket,
          sent_after_ms, timed_by_receipt, arrived_version,
          CASE WHEN installation_id IS NOT NULL THEN reporters END AS reporters;

-- name: take_deliveries
-- Deletes rows under a provisional date or id and returns them, so that their events can count under another
-- key.
-- $1 notification_id[], $2 app_id[], $3 sent_at[], $4 the earliest and $5 the latest of these dates; sorted
-- by key. LIMIT leaves out nothing, but makes the planner expect one row instead of ten. Otherwise, while a
-- day has few rows, it would plan to compare all of them with each key.
DELETE FROM landfall.delivery
USING (SELECT notification_id, app_id, sent_at
       FROM unnest($1::uuid[], $2::bigint[], $3::timestamptz[]) AS moved (notification_id, app_id, sent_at)
       LIMIT cardinality($1)) AS moved
WHERE delivery.notification_id = moved.notification_id
  AND delivery.app_id = moved.app_id
  AND delivery.sent_at = moved.sent_at
  AND delivery.sent_at BETWEEN $4 AND $5
RETURNING delivery.notification_id, delivery.app_id, delivery.sent_at, delivery.state, delivery.sent_after_ms, {{content}},
          landfall.latency_bucket_of(delivery.arrived_after_ms - coalesce(delivery.sent_after_ms, 0)) AS arrival_bucket,
          landfall.latency_bucket_of(delivery.clicked_after_ms - delivery.arrived_after_ms) AS click_bucket;

-- name: read_repointed
-- What did these rows contain before this transaction made pointers of them? The columns are those of
-- take_deliveries. None of the rows has a response, so they counted as unmatched and in no bucket.
-- $1 notification_id[], $2 app_id[], $3 sent_at[], $4 the earliest and $5 the latest of these dates; sorted
-- by key. OFFSET 0 keeps the planner from comparing all rows of a day with each key.
SELECT delivery.notification_id, delivery.app_id, delivery.sent_at, delivery.previous_state AS state,
       NULL::bigint AS sent_after_ms, {{content}},
       NULL::smallint AS arrival_bucket, NULL::smallint AS click_bucket
FROM unnest($1::uuid[], $2::bigint[], $3::timestamptz[]) AS repointed (notification_id, app_id, sent_at)
CROSS JOIN LATERAL (
    SELECT known.*
    FROM landfall.delivery AS known
    WHERE known.notification_id = repointed.notification_id
      AND known.app_id = repointed.app_id
      AND known.sent_at = repointed.sent_at
      AND known.sent_at BETWEEN $4 AND $5
    OFFSET 0
) AS delivery;
