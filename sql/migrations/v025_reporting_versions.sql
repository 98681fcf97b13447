-- Which versions of apps report arrivals: a matter of how many they reported, no longer of the first one (docs/decisions/0033).

-- Waits for open transactions of writers and keeps others out until this is committed: what is counted below is all there is.
ALTER TABLE landfall.delivery ADD COLUMN arrived_version text;
COMMENT ON COLUMN landfall.delivery.arrived_version IS 'The version of the app that the first recorded arrival named; null if it named none, or there is no arrival.';

ALTER TYPE landfall.delivery_event ADD ATTRIBUTE arrived_version text;

CREATE TABLE landfall.version_rollup (
    app_id          bigint NOT NULL,
    day             timestamptz NOT NULL,
    platform        text NOT NULL,
    app_version     text NOT NULL,
    slot            smallint NOT NULL,
    reportable      bigint NOT NULL,
    arrived_named   bigint NOT NULL,
    arrived_unnamed bigint NOT NULL,
    CONSTRAINT version_rollup_pkey PRIMARY KEY (app_id, day, platform, app_version, slot)
) WITH (fillfactor = 70);
CREATE INDEX version_rollup_unfolded_idx ON landfall.version_rollup (day) WHERE slot >= 0;
COMMENT ON TABLE landfall.version_rollup IS 'How much of what could be reported each version of an app reported. Exact at every commit.';
COMMENT ON COLUMN landfall.version_rollup.app_id IS 'The app.';
COMMENT ON COLUMN landfall.version_rollup.day IS 'Midnight UTC that the day of sent_at begins with.';
COMMENT ON COLUMN landfall.version_rollup.platform IS 'As in segment; empty when unknown.';
COMMENT ON COLUMN landfall.version_rollup.app_version IS 'As in segment: the version that was registered when the push was sent; never empty.';
COMMENT ON COLUMN landfall.version_rollup.slot IS 'The writer''s number; -1: folded by maintenance.';
COMMENT ON COLUMN landfall.version_rollup.reportable IS 'Notifications that were accepted and that an extension could report, to installations that show alerts.';
COMMENT ON COLUMN landfall.version_rollup.arrived_named IS 'Those of them whose arrival was reported by this very version, as the report says.';
COMMENT ON COLUMN landfall.version_rollup.arrived_unnamed IS 'Those of them whose arrival was reported without naming a version.';

-- Planned as a part of the query that calls them.

CREATE FUNCTION landfall.speaks_for_version(segment landfall.segment) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT $1.app_version <> '' AND $1.permission NOT IN ('denied', 'not_determined')
$$;
COMMENT ON FUNCTION landfall.speaks_for_version IS 'Whether notifications to this segment count for a version of the app: the version is known, and alerts are shown, so that its extension can run.';

CREATE FUNCTION landfall.wilson_low(part double precision, whole double precision) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN $2 > 0 AND $1 > 0
                THEN ($1 + 1.92072941 - 1.95996398 * sqrt($1 * greatest($2 - $1, 0) / $2 + 0.96036471)) / ($2 + 3.84145882)
                ELSE 0 END
$$;
COMMENT ON FUNCTION landfall.wilson_low IS 'The lower end of Wilson''s 95 % interval of a share.';

CREATE FUNCTION landfall.version_reports(
    reportable double precision, arrived_named double precision, arrived_unnamed double precision
) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT landfall.wilson_low($2, $1) > 0.02 OR landfall.wilson_low($2 + $3, $1) > 0.1
$$;
COMMENT ON FUNCTION landfall.version_reports IS 'Whether a version of an app has an extension that reports: surely more than 2 % of what it could report, by its own reports; or 10 %, if reports that name no version are counted as its own, which may come from phones that were updated since.';

DROP TABLE landfall.reporting_version;
CREATE VIEW landfall.reporting_version AS
SELECT app_id, platform, app_version
  FROM landfall.version_rollup
 GROUP BY app_id, platform, app_version
HAVING landfall.version_reports(sum(reportable), sum(arrived_named), sum(arrived_unnamed));
COMMENT ON VIEW landfall.reporting_version IS 'Known versions of apps whose notification service extension reports arrivals, by all that was ever counted. The only definition of it.';

-- What is there already; no arrival has named its version so far.
INSERT INTO landfall.version_rollup (
    app_id, day, platform, app_version, slot, reportable, arrived_named, arrived_unnamed
)
SELECT rollup.app_id, date_trunc('day', rollup.quarter, 'UTC'), segment.platform, segment.app_version, -1,
       sum(rollup.reportable), 0, sum(rollup.arrived_reportable)
  FROM landfall.segment_rollup AS rollup
  JOIN landfall.segment ON segment.app_id = rollup.app_id AND segment.segment_id = rollup.segment_id
 WHERE landfall.speaks_for_version(segment)
 GROUP BY 1, 2, 3, 4
HAVING sum(rollup.reportable) > 0;
