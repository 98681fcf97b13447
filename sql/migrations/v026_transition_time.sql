-- When a row of the token ledger happened, which may be long before it was decided: an import, a registration with registered_at
-- and a response posted late belong to the day of the registration, or of the push.

CREATE FUNCTION landfall.transition_time(rule text, evidence jsonb, decided_at timestamptz) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN least(
    decided_at,
    to_timestamp(
        CASE WHEN rule IN ('registered', 'revived', 'transferred', 'rotated') THEN (evidence ->> 'registered_at')::bigint
             ELSE (evidence ->> 'sent_at')::bigint END / 1000.0));
COMMENT ON FUNCTION landfall.transition_time IS 'When a row of token_transition happened: the registration, or the sending of the push that a provider responded to. What Landfall decides by itself happens when it is decided.';

CREATE OR REPLACE VIEW report_v1.tokens_by_day AS
-- A row of the ledger counts from the day on which it and all rows of its token before it happened, as in tokens_as_of.sql.
WITH step AS (
    SELECT transition.app_id, token.provider, token.kind, token.environment, transition.to_state,
           lag(transition.to_state) OVER chain                      AS former_state,
           (max(landfall.transition_time(transition.rule, transition.evidence, transition.at)) OVER chain
               AT TIME ZONE 'UTC')::date AS day
      FROM landfall.token_transition AS transition
      JOIN landfall.token ON token.token_id = transition.token_id AND token.app_id = transition.app_id
    WINDOW chain AS (PARTITION BY transition.app_id, transition.token_id ORDER BY transition.transition_id)
), moved AS (
    SELECT step.app_id, step.provider, step.kind, step.environment, side.state, step.day, sum(side.change) AS change
      FROM step
     CROSS JOIN LATERAL (VALUES (step.to_state, 1), (step.former_state, -1)) AS side (state, change)
     WHERE side.state IS NOT NULL
     GROUP BY step.app_id, step.provider, step.kind, step.environment, side.state, step.day
), known AS (
    SELECT app_id, provider, kind, environment, state, min(day) AS first_day
      FROM moved
     GROUP BY app_id, provider, kind, environment, state
), calendar AS (
    SELECT known.app_id, known.provider, known.kind, known.environment, known.state, known.first_day + passed AS day
      FROM known
     CROSS JOIN LATERAL generate_series(0, (now() AT TIME ZONE 'UTC')::date - known.first_day) AS passed
)
SELECT app.slug                                        AS app,
       calendar.day         AS day,
       calendar.provider    AS provider,
       calendar.kind        AS kind,
       calendar.environment AS environment,
       calendar.state       AS state,
       sum(coalesce(moved.change, 0)) OVER (
           PARTITION BY calendar.app_id, calendar.provider, calendar.kind, calendar.environment, calendar.state
               ORDER BY calendar.day)::bigint AS tokens
  FROM calendar
  JOIN landfall.app ON app.app_id = calendar.app_id
  LEFT JOIN moved
    ON moved.app_id = calendar.app_id AND moved.provider = calendar.provider AND moved.kind = calendar.kind
   AND moved.environment = calendar.environment AND moved.state = calendar.state AND moved.day = calendar.day;
