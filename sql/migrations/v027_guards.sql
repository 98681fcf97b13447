-- What servers and maintenance notice about the database, for the doctor; a horizon that is never in the future
-- (docs/decisions/0035).

CREATE TABLE landfall.database_condition (
    name     text NOT NULL,
    source   text NOT NULL,
    noted_at timestamptz NOT NULL,
    detail   jsonb NOT NULL,
    CONSTRAINT database_condition_pkey PRIMARY KEY (name, source)
);
COMMENT ON TABLE landfall.database_condition IS 'What is out of the ordinary about the database or its servers right now, as landfall doctor reports it. A row is removed when its condition has passed.';
COMMENT ON COLUMN landfall.database_condition.name IS 'retention_held: maintenance keeps days that the configuration would drop. server_clock: a server''s clock differs from PostgreSQL''s. cluster_restarted: a server restarted the private cluster.';
COMMENT ON COLUMN landfall.database_condition.source IS 'The server that noted it, host:port; empty for a command.';
COMMENT ON COLUMN landfall.database_condition.noted_at IS 'When it was noted last, by PostgreSQL''s clock.';
COMMENT ON COLUMN landfall.database_condition.detail IS 'The figures, by name.';

-- A server with a wrong clock may have moved the horizon into the future. What is left of later days is there to be counted.
UPDATE landfall.retention SET kept_from = date_trunc('day', now(), 'UTC') WHERE kept_from > now();

-- As before, and refuses a day that is not over by PostgreSQL's own clock, whatever the caller's says.
CREATE OR REPLACE FUNCTION landfall.drop_delivery_partition(day date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    day_end timestamptz := (day + 1)::timestamp AT TIME ZONE 'UTC';
BEGIN
    IF day_end > clock_timestamp() THEN
        RAISE EXCEPTION 'the day % is not over', day USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM set_config('lock_timeout', '200ms', true);
    EXECUTE format('DROP TABLE IF EXISTS landfall.%I', 'delivery_' || to_char(day, 'YYYYMMDD'));
    INSERT INTO landfall.retention AS known (kept_from) VALUES (day_end)
    ON CONFLICT (is_only) DO UPDATE SET kept_from = greatest(known.kept_from, excluded.kept_from);
END;
$$;

-- What breakers count is no longer each answer and each retirement (docs/decisions/0039).
COMMENT ON COLUMN landfall.token_breaker_minute.attempted IS 'Tokens accepted before that answers about pushes of the last 24 hours were about; each once per batch.';
COMMENT ON COLUMN landfall.token_breaker_minute.retired IS 'Tokens among these that answers retired or made suspect.';
