-- A sender's sent_at is the truth for cohort, latency and token rules; the time inside a version 7 id only stands in for it
-- (docs/decisions/0038). Device events without a time are timed by their receipt. A final rejection corrects an acceptance.

ALTER TABLE landfall.delivery
    ADD COLUMN sent_after_ms bigint,
    ADD COLUMN timed_by_receipt integer;
COMMENT ON COLUMN landfall.delivery.sent_at IS 'When it was sent, to the quarter hour: the time inside a version 7 id where that is in the quarter hour in which the sender says it was sent, else what the sender says.';
COMMENT ON COLUMN landfall.delivery.sent_after_ms IS 'Milliseconds from sent_at to when the sender says it was sent; null if there is no difference. In a row whose state is 0: to the row that its events are in.';
COMMENT ON COLUMN landfall.delivery.state IS 'Bits of DeliveryState. 0: the sender says that it was sent in another quarter hour than its id does, so this row only points to that one, see sent_after_ms.';
COMMENT ON COLUMN landfall.delivery.timed_by_receipt IS 'The bits of device events that did not say when they happened: their time is when they came in. Null if there are none.';

ALTER TYPE landfall.delivery_event ADD ATTRIBUTE sent_after_ms bigint;
ALTER TYPE landfall.delivery_event ADD ATTRIBUTE timed_by_receipt integer;

CREATE FUNCTION landfall.joined_state(known integer, news integer) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    -- Bits 9 to 15 and 26 to 28 are final rejections, bit 1 is accepted.
    SELECT CASE WHEN ($1 | $2) & 469827072 = 0 THEN $1 | $2 ELSE ($1 | $2) & ~2 END
$$;
COMMENT ON FUNCTION landfall.joined_state IS 'What is known of a notification once both are: all bits, but no acceptance beside a final rejection.';

ALTER TABLE landfall.latency_rollup DROP CONSTRAINT latency_rollup_stage_check;
ALTER TABLE landfall.latency_rollup ADD CONSTRAINT latency_rollup_stage_check
    CHECK (stage IN ('arrival', 'click', 'arrival_by_receipt', 'click_by_receipt'));
COMMENT ON COLUMN landfall.latency_rollup.stage IS 'arrival: from sending to the extension''s report; click: from that to the click; with _by_receipt: those of them whose times are, in part, times of receipt.';
