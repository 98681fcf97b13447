-- Placeholder of the colleague's v003: only the table that the quarantine and verify need.
CREATE TABLE landfall.intake_rollup (
    app_id     bigint NOT NULL,
    hour       timestamptz NOT NULL,
    slot       smallint NOT NULL,
    received   bigint NOT NULL,
    accepted   bigint NOT NULL,
    duplicates bigint NOT NULL,
    rejected   bigint NOT NULL,
    CONSTRAINT intake_rollup_pkey PRIMARY KEY (app_id, hour, slot)
);
