-- Notifications, one row each, partitioned by UTC day; tables that lead to them; conditions servers noted.

CREATE TABLE landfall.delivery (
    notification_id uuid NOT NULL, sent_at timestamptz NOT NULL, app_id bigint NOT NULL, campaign_id bigint,
    segment_id bigint, token_id bigint, installation_id bigint, response_id bigint, state integer NOT NULL,
    previous_state integer DEFAULT 0 NOT NULL, arrived_after_ms bigint, presented_after_ms bigint,
    clicked_after_ms bigint, dismissed_after_ms bigint, response_rank smallint NOT NULL,
    rejected_at timestamptz, action text, collapse_id text, previous_response_id bigint, sent_after_ms bigint,
    timed_by_receipt integer, arrived_version text, reporters bigint[], category text, app_state text,
    has_text boolean, arrived_kit text, witness text, extension_outcome text, expires_at timestamptz,
    sender text, provider_id text, content_available boolean,
    CONSTRAINT delivery_pkey PRIMARY KEY (notification_id, app_id, sent_at)
) PARTITION BY RANGE (sent_at);
COMMENT ON TABLE landfall.delivery IS 'One row per notification, in daily partitions (UTC) by the time it was sent.';
COMMENT ON COLUMN landfall.delivery.notification_id IS 'The id that the sender chose and put into the payload. For a message to many devices, an id derived from the message and the device.';
COMMENT ON COLUMN landfall.delivery.sent_at IS 'When it was sent, to the quarter hour: the time inside a version 7 id, if the sender states a time in the same quarter hour or none; otherwise the time that the sender states.';
COMMENT ON COLUMN landfall.delivery.campaign_id IS 'The campaign and variant; null until the provider''s response is known.';
COMMENT ON COLUMN landfall.delivery.segment_id IS 'What was known about push and target; null until the provider''s response is known.';
COMMENT ON COLUMN landfall.delivery.token_id IS 'The token that the push was sent to; null for channels without tokens.';
COMMENT ON COLUMN landfall.delivery.installation_id IS 'The installation that held the token when the response was recorded; null if none was registered. For a message, also the first installation to register the token since.';
COMMENT ON COLUMN landfall.delivery.response_id IS 'The response that counts, see response_rank.';
COMMENT ON COLUMN landfall.delivery.state IS 'Bits of DeliveryState. 0: the sender states another quarter hour than the id, and this row only points to the row there, see sent_after_ms.';
COMMENT ON COLUMN landfall.delivery.previous_state IS 'The state before the last change. The batch that changed the row moves one notification from this state to the new one in the counters.';
COMMENT ON COLUMN landfall.delivery.arrived_after_ms IS 'Milliseconds from sent_at to the first reported arrival, negative if clocks disagree. Fixed as long as the state has an arrival; without meaning if it has none.';
COMMENT ON COLUMN landfall.delivery.presented_after_ms IS 'The same for the presentation.';
COMMENT ON COLUMN landfall.delivery.clicked_after_ms IS 'The same for the click.';
COMMENT ON COLUMN landfall.delivery.dismissed_after_ms IS 'The same for the dismissal.';
COMMENT ON COLUMN landfall.delivery.response_rank IS 'The rank of the response: 0 accepted; 1 to 10 the class of the rejection, the most final first; -99 to -90 the same for final rejections; 99 no response. The lowest rank counts.';
COMMENT ON COLUMN landfall.delivery.rejected_at IS 'The timestamp in a 410 response, as the provider gave it.';
COMMENT ON COLUMN landfall.delivery.action IS 'The custom action of the first click; null for the default tap. Like the times, without meaning if the state has no click.';
COMMENT ON COLUMN landfall.delivery.collapse_id IS 'apns-collapse-id: a later push with the same one replaces this one.';
COMMENT ON COLUMN landfall.delivery.previous_response_id IS 'The rejection that counted before the last change; null if there was none. The batch that changed the row moves the notification from this response in the counters.';
COMMENT ON COLUMN landfall.delivery.sent_after_ms IS 'Milliseconds from sent_at to the time the sender states; null if they are equal. If state is 0: to the row that has the events.';
COMMENT ON COLUMN landfall.delivery.timed_by_receipt IS 'The bits of device events that did not say when they happened: their times are times of receipt. Null if there are none.';
COMMENT ON COLUMN landfall.delivery.arrived_version IS 'The app version that the first recorded arrival named; null if it named none. Without meaning if the state has no arrival.';
COMMENT ON COLUMN landfall.delivery.reporters IS 'Which device bits came from which installation, until installation_id is known (see reported_state); null if no event named a registered device. Without meaning afterwards.';
COMMENT ON COLUMN landfall.delivery.category IS 'The notification''s category, as the first device event that has one named it.';
COMMENT ON COLUMN landfall.delivery.app_state IS 'The state of the app when it was handed the first click: foreground, background or terminated; null if it did not say. Like action, without meaning if the state has no click.';
COMMENT ON COLUMN landfall.delivery.has_text IS 'Whether the user typed a text; null if the app did not say. Like action, without meaning if the state has no click.';
COMMENT ON COLUMN landfall.delivery.arrived_kit IS 'The version of the device kit that the first recorded arrival named; null if it named none. Without meaning if the state has no arrival.';
COMMENT ON COLUMN landfall.delivery.witness IS 'What showed, other than the extension, that the device had it: centre (the notification center), app or provider. Without meaning if the state is not negative (witnessed).';
COMMENT ON COLUMN landfall.delivery.extension_outcome IS 'How the run of the notification service extension ended, if not well: expired or attachment_failed. The first that the device named.';
COMMENT ON COLUMN landfall.delivery.expires_at IS 'When the provider gives up delivering it, as the sender asked; null if the sender did not say.';
COMMENT ON COLUMN landfall.delivery.sender IS 'The service that sent it, by the name that the app gives it.';
COMMENT ON COLUMN landfall.delivery.provider_id IS 'The id that the provider gave it.';
COMMENT ON COLUMN landfall.delivery.content_available IS 'Whether it also woke the app in the background (content-available); null if the sender did not say.';
-- Few runs fail, so the index is small.
CREATE INDEX delivery_extension_outcome_idx ON landfall.delivery (app_id, sent_at) WHERE (extension_outcome IS NOT NULL);
-- Only pushes that wake the app, of which the doctor reads the newest.
CREATE INDEX delivery_content_available_idx ON landfall.delivery (app_id, sent_at) WHERE content_available;

-- The facts come last, in the order of sql/lists.txt.
CREATE TYPE landfall.delivery_event AS (
    notification_id uuid, app_id bigint, sent_at timestamptz, campaign_id bigint, segment_id bigint, token_id bigint,
    installation_id bigint, response_id bigint, state integer, arrived_after_ms bigint, presented_after_ms bigint,
    clicked_after_ms bigint, dismissed_after_ms bigint, response_rank smallint, sent_after_ms bigint,
    timed_by_receipt integer, arrived_version text, reporters bigint[], arrived_kit text, witness text,
    rejected_at timestamptz, collapse_id text, action text, app_state text, has_text boolean, category text,
    extension_outcome text, expires_at timestamptz, sender text, provider_id text, content_available boolean
);
COMMENT ON TYPE landfall.delivery_event IS 'The contribution of a batch of events to one notification, in the columns of delivery. If an event named a registered device, reporters has all device bits, even if installation_id is known.';

-- Bits 9 to 15 and 26 to 28 are final rejections, bit 1 is accepted (DeliveryState).
CREATE FUNCTION landfall.joined_state(known integer, news integer) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN ($1 | $2) & 469827072 = 0 THEN $1 | $2 ELSE ($1 | $2) & ~2 END
$$;
COMMENT ON FUNCTION landfall.joined_state IS 'The state of a notification after both contributions: all their bits, but no acceptance together with a final rejection.';

-- Events belong to their notification: an event of another installation than the one that the push went to
-- adds only the bit misdirected. The push's installation is often known only after the event, so reporters
-- remembers where the device bits came from: one element per installation, installation_id * 128 + 1 arrived,
-- 2 presented, 4 clicked, 8 dismissed, 16 local, 32 signed, 64 witnessed, in ascending order. Installation 0
-- stands for the events that name no registered device. Null: all bits are from those.
--
-- Bits of state: -536870536 all of these and misdirected; 536870912 misdirected; -536870408 all bits that no
-- response adds. The bit of witnessed is the sign.
CREATE FUNCTION landfall.reported_state(state integer, reporters bigint[], installation_id bigint) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN $2 IS NULL THEN $1 ELSE ($1 & ~(-536870536)) | (
        SELECT bit_or(CASE WHEN $3 IS NULL OR reporter >> 7 IN (0, $3)
                           THEN ((reporter & 15) << 3) | ((reporter & 16) << 4) | ((reporter & 32) << 25)
                                | -((reporter & 64) << 25)
                           ELSE 536870912 END)::integer
        FROM unnest($2) AS reporter) END
$$;
COMMENT ON FUNCTION landfall.reported_state IS 'The state with the device bits that count if the push went to this installation; all of them if that is null.';

-- At most 64 installations, those that registered first: a row stays short, and new ones displace none.
CREATE FUNCTION landfall.merged_reporters(
    known_state integer, known_reporters bigint[], state integer, reporters bigint[]
) RETURNS bigint[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT array_agg(reporter ORDER BY reporter)
    FROM (
        SELECT (reporter >> 7 << 7) | bit_or(reporter & 127) AS reporter
        FROM unnest(
            coalesce($2, ARRAY[(($1 >> 3) & 15) | (($1 >> 4) & 16) | (($1 >> 25) & 96)]::bigint[])
            || coalesce($4, ARRAY[(($3 >> 3) & 15) | (($3 >> 4) & 16) | (($3 >> 25) & 96)]::bigint[])) AS reporter
        WHERE reporter <> 0
        GROUP BY reporter >> 7
        ORDER BY reporter >> 7
        LIMIT 65
    ) AS joined
$$;
COMMENT ON FUNCTION landfall.merged_reporters IS 'The reporters of a notification after both contributions.';

CREATE FUNCTION landfall.joined_reporters(
    known_state integer, known_reporters bigint[], state integer, reporters bigint[]
) RETURNS bigint[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN cardinality($2) = 1 AND cardinality($4) = 1 AND $2[1] >> 7 = $4[1] >> 7 THEN ARRAY[$2[1] | $4[1]]
                ELSE landfall.merged_reporters($1, $2, $3, $4) END
$$;
COMMENT ON FUNCTION landfall.joined_reporters IS 'The same as merged_reporters. The planner inlines the usual case, one installation.';

CREATE FUNCTION landfall.settled_state(
    known_state integer, known_reporters bigint[], state integer, reporters bigint[], installation_id bigint
) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT landfall.joined_state(landfall.reported_state($1, $2, $5), landfall.reported_state($3, $4, $5))
$$;
COMMENT ON FUNCTION landfall.settled_state IS 'The state of a notification after both contributions if the push went to this installation, or if that is not known yet.';

-- The first case is the usual one, and the planner inlines it: all device bits are from the push's
-- installation, or from events that name none, or the push's installation is not known yet.
CREATE FUNCTION landfall.recorded_state(
    known_state integer, known_reporters bigint[], known_installation_id bigint,
    state integer, reporters bigint[], installation_id bigint
) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE
        WHEN ($2 IS NULL AND $5 IS NULL) OR coalesce($3, $6) IS NULL
             OR (($2 IS NULL OR $3 IS NOT NULL OR (cardinality($2) = 1 AND $2[1] >> 7 = $6))
                 AND ($5 IS NULL OR (cardinality($5) = 1 AND $5[1] >> 7 = coalesce($3, $6) AND coalesce($3 = $6, true))))
        THEN landfall.joined_state($1, $4)
        ELSE landfall.settled_state($1, CASE WHEN $3 IS NULL THEN $2 END, $4, $5,
            coalesce($3, CASE WHEN $4 & ~$1 & ~(-536870408) <> 0 THEN $6 END))
    END
$$;
COMMENT ON FUNCTION landfall.recorded_state IS 'The state of a row after a contribution. Of two installations that the push may have gone to, the row''s counts; the contribution''s only if its response adds bits.';

CREATE TABLE landfall.notification_date (
    notification_id uuid NOT NULL, app_id bigint NOT NULL, sent_at timestamptz NOT NULL,
    is_provisional boolean NOT NULL, provisional_at timestamptz,
    CONSTRAINT notification_date_pkey PRIMARY KEY (notification_id, app_id)
);
COMMENT ON TABLE landfall.notification_date IS 'When notifications were sent whose ids do not contain the time (all but version 7), so that events without sent_at find their row.';
COMMENT ON COLUMN landfall.notification_date.notification_id IS 'The notification.';
COMMENT ON COLUMN landfall.notification_date.sent_at IS 'The sent_at of the row in delivery.';
COMMENT ON COLUMN landfall.notification_date.is_provisional IS 'No response has stated the send time yet: sent_at is the time stated by the first event or, if it stated none, the time it came in.';
COMMENT ON COLUMN landfall.notification_date.provisional_at IS 'The provisional date that the last change replaced; null if it replaced none.';
CREATE INDEX notification_date_sent_at_idx ON landfall.notification_date (sent_at);

-- One payload for many devices: the notification that a message to a token counts as (docs/decisions/0020).
CREATE TABLE landfall.message_recipient (
    message_id uuid NOT NULL, token_id bigint NOT NULL, app_id bigint NOT NULL, notification_id uuid NOT NULL,
    sent_at timestamptz NOT NULL, installation_id bigint, is_provisional boolean NOT NULL,
    CONSTRAINT message_recipient_pkey PRIMARY KEY (message_id, token_id, app_id)
);
COMMENT ON TABLE landfall.message_recipient IS 'The notification that responses and vendors'' receipts about a message to a token belong to. Decided when the first of them is recorded and kept, so that the others find it even after the token changed hands.';
COMMENT ON COLUMN landfall.message_recipient.message_id IS 'The id that all pushes of the message share.';
COMMENT ON COLUMN landfall.message_recipient.token_id IS 'The token that the push was sent to.';
COMMENT ON COLUMN landfall.message_recipient.notification_id IS 'The notification: derived from message and device, or from message and token while no installation has registered the token.';
COMMENT ON COLUMN landfall.message_recipient.sent_at IS 'When it was sent, by its first response, or provisionally by a receipt: the sent_at of the row in delivery while installation_id is null.';
COMMENT ON COLUMN landfall.message_recipient.installation_id IS 'The installation that held the token when the first response or receipt was recorded, or else the first to register it since; null while there is none.';
COMMENT ON COLUMN landfall.message_recipient.is_provisional IS 'Only a vendor''s receipt is known, so sent_at may change.';
CREATE INDEX message_recipient_sent_at_idx ON landfall.message_recipient (sent_at);
-- Messages to tokens that no app has registered yet.
CREATE INDEX message_recipient_waiting_idx ON landfall.message_recipient (token_id) WHERE (installation_id IS NULL);

CREATE TABLE landfall.retention (
    is_only boolean DEFAULT true NOT NULL, kept_from timestamptz NOT NULL,
    CONSTRAINT retention_pkey PRIMARY KEY (is_only),
    CONSTRAINT retention_is_only_check CHECK (is_only)
);
COMMENT ON TABLE landfall.retention IS 'How far back notifications are kept. At most one row; none until a partition is dropped.';
COMMENT ON COLUMN landfall.retention.is_only IS 'Always true, so that there is only one row.';
COMMENT ON COLUMN landfall.retention.kept_from IS 'Rows of delivery sent before this instant were dropped. Their counters stay, and can no longer be recounted.';

-- A partition is delivery_YYYYMMDD or, once it was packed, delivery_YYYYMMDD_packed. One statement looks for
-- both names, so that an exchange in between is not seen as a missing day.
CREATE FUNCTION landfall.delivery_partition(day date) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT relname::text FROM pg_class
     WHERE relname IN ('delivery_' || to_char(day, 'YYYYMMDD'), 'delivery_' || to_char(day, 'YYYYMMDD') || '_packed')
       AND relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'landfall.delivery'::regclass)
$$;
COMMENT ON FUNCTION landfall.delivery_partition IS 'The name of the partition of landfall.delivery for one UTC day; null if there is none.';

-- If several servers call it at once, those that lose the race find the partition. It runs with the
-- privileges of its owner, so servers need no DDL privileges. It accepts only plausible days, because any
-- reader of the schema may call it.
--
-- A dropped day is not created again: repeated events of its notifications would count twice. Attaching waits
-- for a drop in progress, so the second check sees its horizon. A closed day counts as dropped.
--
-- fillfactor 45: most rows are written twice, by the response and by the device. With room on the page,
-- updates cost half as much as at 80, and the table ends up smaller, because no update splits an index page.
CREATE FUNCTION landfall.ensure_delivery_partition(day date) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    partition_name text := 'delivery_' || to_char(day, 'YYYYMMDD');
    day_end timestamptz := (day + 1)::timestamp AT TIME ZONE 'UTC';
BEGIN
    IF abs(day - current_date) > 3653 THEN
        RAISE EXCEPTION 'the day % is more than ten years from now', day USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF EXISTS (SELECT FROM landfall.retention WHERE kept_from >= day_end) THEN RETURN false; END IF;
    IF landfall.delivery_partition(day) IS NULL THEN
        -- Attaching waits for no reader. CREATE TABLE … PARTITION OF would wait for all of them, and every
        -- writer would queue after it.
        EXECUTE format(
            'CREATE TABLE landfall.%I (LIKE landfall.delivery INCLUDING ALL) WITH (fillfactor = 45)', partition_name);
        EXECUTE format(
            'ALTER TABLE landfall.delivery ATTACH PARTITION landfall.%I FOR VALUES FROM (%L) TO (%L)',
            partition_name, day::text || ' 00:00:00+00', (day + 1)::text || ' 00:00:00+00');
        IF EXISTS (SELECT FROM landfall.retention WHERE kept_from >= day_end) THEN
            RAISE EXCEPTION 'the day % was dropped', day USING ERRCODE = 'no_data_found';
        END IF;
    END IF;
    RETURN true;
EXCEPTION
    WHEN no_data_found THEN RETURN false;
    WHEN duplicate_table OR duplicate_object OR unique_violation THEN RETURN true;
END;
$$;
ALTER FUNCTION landfall.ensure_delivery_partition SECURITY DEFINER SET search_path = pg_catalog, pg_temp;
COMMENT ON FUNCTION landfall.ensure_delivery_partition IS 'Creates the partition of landfall.delivery for one UTC day unless it exists. False: the day was dropped or is closed, and stays so.';

-- The horizon moves in the same transaction. Dropping locks the whole table for a moment, and every other
-- session would queue after it, so it gives up after 200 ms (SQLSTATE 55P03). A day that is not over by
-- PostgreSQL's own clock is never dropped (docs/decisions/0035).
CREATE FUNCTION landfall.drop_delivery_partition(day date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    stem text := to_char(day, 'YYYYMMDD');
    day_end timestamptz := (day + 1)::timestamp AT TIME ZONE 'UTC';
BEGIN
    IF day_end > clock_timestamp() THEN
        RAISE EXCEPTION 'the day % is not over', day USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM set_config('lock_timeout', '200ms', true);
    EXECUTE format(
        'DROP TABLE IF EXISTS landfall.%I, landfall.%I, landfall.%I', 'delivery_' || stem,
        'delivery_' || stem || '_packed', 'packing_' || stem);
    INSERT INTO landfall.retention AS known (kept_from) VALUES (day_end)
    ON CONFLICT (is_only) DO UPDATE SET kept_from = greatest(known.kept_from, excluded.kept_from);
    DELETE FROM landfall.delivery_change WHERE sent_at >= day_end - interval '24 hours' AND sent_at < day_end;
END;
$$;
COMMENT ON FUNCTION landfall.drop_delivery_partition IS 'Drops the partition of landfall.delivery for one UTC day and records that in landfall.retention.';

-- To writers, a closed day looks as if it had been dropped: inserts and updates fail like those without a
-- partition, and rows to be moved are not found. So its rows no longer change until it is dropped.
CREATE FUNCTION landfall.reject_delivery_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN RETURN NULL; END IF;
    RAISE EXCEPTION 'the day is closed' USING ERRCODE = 'check_violation';
END;
$$;
COMMENT ON FUNCTION landfall.reject_delivery_change IS 'Trigger on a closed day.';

-- Creating the trigger waits for the writers of the day. While an app is being moved, and until its rows are
-- removed from the cell that it left, no day is closed: they could not be removed from it.
CREATE FUNCTION landfall.close_delivery_partition(day date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    day_end timestamptz := (day + 1)::timestamp AT TIME ZONE 'UTC';
BEGIN
    IF day_end > clock_timestamp() THEN
        RAISE EXCEPTION 'the day % is not over', day USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM set_config('lock_timeout', '200ms', true);
    PERFORM landfall.refuse_writing(moving.app_id) FROM landfall.app_move AS moving WHERE moving.state <> 'removed';
    EXECUTE format('DROP TABLE IF EXISTS landfall.%I', 'packing_' || to_char(day, 'YYYYMMDD'));
    EXECUTE format(
        'CREATE OR REPLACE TRIGGER reject_delivery_change BEFORE INSERT OR UPDATE OR DELETE ON landfall.%I
             FOR EACH ROW EXECUTE FUNCTION landfall.reject_delivery_change()', landfall.delivery_partition(day));
    INSERT INTO landfall.retention AS known (kept_from) VALUES (day_end)
    ON CONFLICT (is_only) DO UPDATE SET kept_from = greatest(known.kept_from, excluded.kept_from);
END;
$$;
COMMENT ON FUNCTION landfall.close_delivery_partition IS 'Closes one UTC day: its rows no longer change, as if it had been dropped. Records that in landfall.retention.';

-- Changes of days that are being packed. The notification is no key: a second change of a row adds a second
-- entry, so that no writer waits for another or for the run that reads the entries.
CREATE TABLE landfall.delivery_change (
    notification_id uuid NOT NULL, app_id bigint NOT NULL, sent_at timestamptz NOT NULL,
    change_id uuid NOT NULL DEFAULT gen_random_uuid(),
    CONSTRAINT delivery_change_pkey PRIMARY KEY (sent_at, change_id)
);
COMMENT ON TABLE landfall.delivery_change IS 'The keys of rows of delivery that changed while their day is being packed, one for each change.';
COMMENT ON COLUMN landfall.delivery_change.notification_id IS 'The notification.';
COMMENT ON COLUMN landfall.delivery_change.sent_at IS 'The sent_at of the row in delivery.';
COMMENT ON COLUMN landfall.delivery_change.change_id IS 'Makes a key, without which Citus moves no table.';

CREATE FUNCTION landfall.note_delivery_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        INSERT INTO landfall.delivery_change VALUES (OLD.notification_id, OLD.app_id, OLD.sent_at);
    ELSE
        INSERT INTO landfall.delivery_change VALUES (NEW.notification_id, NEW.app_id, NEW.sent_at);
    END IF;
    RETURN NULL;
END;
$$;
COMMENT ON FUNCTION landfall.note_delivery_change IS 'Trigger on a day that is being packed.';

-- Packing moves the rows of a day to a new partition without gaps, in the order of the key
-- (docs/decisions/0013). One call is one step and one transaction. It returns what it did: begun (changes are
-- noted, and an empty copy exists), copied (all rows are in the copy), caught_up (rows that changed since
-- then are copied again, until few are left), or packed (the last changes are copied, and the copy takes the
-- place of the partition, under the lock of the whole table; if that takes 200 ms, nothing happens: 55P03).
--
-- The rows of the copy are newer than snapshots taken before the exchange, which would find the day empty. So
-- it has another name than the old partition: pg_dump, which takes its snapshot before its locks, fails
-- instead of leaving the day out. Landfall's own snapshots lock delivery first (lock_deliveries).
--
-- fillfactor 100: later events are few, and their rows move to other pages.
CREATE FUNCTION landfall.pack_delivery_partition(day date) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    stem text := to_char(day, 'YYYYMMDD');
    day_start timestamptz := day::timestamp AT TIME ZONE 'UTC';
    day_end timestamptz := (day + 1)::timestamp AT TIME ZONE 'UTC';
    copy_name text := 'packing_' || stem;
    old_name text := landfall.delivery_partition(day);
    new_name text := 'delivery_' || stem || CASE WHEN old_name LIKE '%packed' THEN '' ELSE '_packed' END;
    has_rows boolean;
    has_few_changes boolean;
    changed record;
BEGIN
    IF day_end > clock_timestamp() THEN
        RAISE EXCEPTION 'the day % is not over', day USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM set_config('lock_timeout', '200ms', true);
    IF to_regclass('landfall.' || copy_name) IS NULL THEN
        -- Reading the notes after a lock needs a new snapshot.
        IF current_setting('transaction_isolation') <> 'read committed' THEN
            RAISE EXCEPTION 'a day can only be packed at READ COMMITTED' USING ERRCODE = 'feature_not_supported';
        END IF;
        -- This waits for the writers of the day, whose rows the copy has. What later ones write is noted.
        EXECUTE format(
            'CREATE OR REPLACE TRIGGER note_delivery_change AFTER INSERT OR UPDATE OR DELETE ON landfall.%I
                 FOR EACH ROW EXECUTE FUNCTION landfall.note_delivery_change()', old_name);
        DELETE FROM landfall.delivery_change WHERE sent_at >= day_start AND sent_at < day_end;
        EXECUTE format('CREATE TABLE landfall.%I (LIKE landfall.delivery INCLUDING ALL) WITH (fillfactor = 100)', copy_name);
        -- With this constraint, attaching need not read the rows.
        EXECUTE format(
            'ALTER TABLE landfall.%I ADD CONSTRAINT is_of_day CHECK (sent_at >= %L AND sent_at < %L)', copy_name,
            day::text || ' 00:00:00+00', (day + 1)::text || ' 00:00:00+00');
        RETURN 'begun';
    END IF;
    -- If a client gave up, its statement may still be copying.
    EXECUTE format('LOCK TABLE landfall.%I IN SHARE ROW EXCLUSIVE MODE', copy_name);
    EXECUTE format('SELECT EXISTS (SELECT FROM landfall.%I)', copy_name) INTO has_rows;
    IF NOT has_rows THEN
        EXECUTE format(
            'INSERT INTO landfall.%I SELECT * FROM landfall.%I ORDER BY notification_id, app_id, sent_at', copy_name, old_name);
        EXECUTE format('ANALYZE landfall.%I', copy_name);
        RETURN 'copied';
    END IF;
    SELECT count(*) <= 500 INTO has_few_changes
      FROM (SELECT FROM landfall.delivery_change WHERE sent_at >= day_start AND sent_at < day_end LIMIT 501) AS noted;
    IF has_few_changes THEN
        LOCK TABLE ONLY landfall.delivery IN ACCESS EXCLUSIVE MODE;
        EXECUTE format('LOCK TABLE landfall.%I IN ACCESS EXCLUSIVE MODE', old_name);
    END IF;
    FOR changed IN DELETE FROM landfall.delivery_change WHERE sent_at >= day_start AND sent_at < day_end RETURNING * LOOP
        EXECUTE format('DELETE FROM landfall.%I WHERE notification_id = $1 AND app_id = $2 AND sent_at = $3', copy_name)
            USING changed.notification_id, changed.app_id, changed.sent_at;
        EXECUTE format(
            'INSERT INTO landfall.%I SELECT * FROM landfall.%I WHERE notification_id = $1 AND app_id = $2 AND sent_at = $3',
            copy_name, old_name) USING changed.notification_id, changed.app_id, changed.sent_at;
    END LOOP;
    IF NOT has_few_changes THEN RETURN 'caught_up'; END IF;
    EXECUTE format('DROP TABLE landfall.%I', old_name);
    EXECUTE format('ALTER TABLE landfall.%I RENAME TO %I', copy_name, new_name);
    EXECUTE format(
        'ALTER TABLE landfall.delivery ATTACH PARTITION landfall.%I FOR VALUES FROM (%L) TO (%L)', new_name,
        day::text || ' 00:00:00+00', (day + 1)::text || ' 00:00:00+00');
    EXECUTE format('ALTER TABLE landfall.%I DROP CONSTRAINT is_of_day', new_name);
    EXECUTE format(
        'COMMENT ON TABLE landfall.%I IS %L', new_name,
        'Packed to ' || pg_total_relation_size(to_regclass('landfall.' || new_name)) || ' bytes.');
    RETURN 'packed';
END;
$$;
COMMENT ON FUNCTION landfall.pack_delivery_partition IS 'Does the next step of packing one UTC day: begun, copied, caught_up or packed.';

-- What devices say about their own trouble. Only new events about known pushes count: for each, it is known
-- which installation it came from, so no finding has to rely on a single installation.
CREATE TABLE landfall.device_trouble (
    app_id bigint NOT NULL, quarter timestamptz NOT NULL, trouble text NOT NULL, reporter_id bigint NOT NULL,
    events bigint NOT NULL,
    CONSTRAINT device_trouble_pkey PRIMARY KEY (app_id, quarter, trouble, reporter_id)
);
COMMENT ON TABLE landfall.device_trouble IS 'How often devices reported trouble of their own, by the quarter hour of receipt. Kept for a week: the doctor reads it.';
COMMENT ON COLUMN landfall.device_trouble.quarter IS 'The quarter hour of receipt.';
COMMENT ON COLUMN landfall.device_trouble.trouble IS 'dropped: events that a device dropped before it could upload them; unshared: arrivals from an extension without an App Group; clock: arrivals from a device whose clock is off, which was corrected.';
COMMENT ON COLUMN landfall.device_trouble.reporter_id IS 'The installation that the push went to; if no app has registered its token, the token''s id as a negative number.';
COMMENT ON COLUMN landfall.device_trouble.events IS 'The number of events or arrivals, at most 1,000: a device keeps no more.';
CREATE INDEX device_trouble_quarter_idx ON landfall.device_trouble USING brin (quarter);

CREATE TABLE landfall.database_condition (
    name text NOT NULL, source text NOT NULL, noted_at timestamptz NOT NULL, detail jsonb NOT NULL,
    CONSTRAINT database_condition_pkey PRIMARY KEY (name, source)
);
COMMENT ON TABLE landfall.database_condition IS 'Unusual conditions of the database or its servers, as landfall doctor reports them. A row is removed when its condition has passed.';
COMMENT ON COLUMN landfall.database_condition.name IS 'retention_held: maintenance keeps days that the configuration would drop. server_clock: a server''s clock differs from PostgreSQL''s. cluster_restarted: a server restarted the private cluster. crowded_address: a server closed connections because too many of one address had a request in progress. credentials_missing: a server rejected requests about installations without a credential. key_in_browser: pages in browsers used keys that belong on servers. rate_limited: a server rejected requests with 429. slow_statements: statements for requests took too long.';
COMMENT ON COLUMN landfall.database_condition.source IS 'The server that noted it, host:port; empty for a command.';
COMMENT ON COLUMN landfall.database_condition.noted_at IS 'When it was last noted, by PostgreSQL''s clock.';
COMMENT ON COLUMN landfall.database_condition.detail IS 'The figures, by name.';
