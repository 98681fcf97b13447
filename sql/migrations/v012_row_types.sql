-- Rows that statements get as one array each. A type never changes, because servers of two versions may post at the same time: what
-- needs another field is another type.

CREATE TYPE landfall.delivery_event AS (
    notification_id    uuid,
    app_id             bigint,
    sent_at            timestamptz,
    campaign_id        bigint,
    segment_id         bigint,
    token_id           bigint,
    installation_id    bigint,
    answer_id          bigint,
    state              integer,
    arrived_after_ms   bigint,
    presented_after_ms bigint,
    clicked_after_ms   bigint,
    dismissed_after_ms bigint,
    answer_rank        smallint,
    refused_at         timestamptz,
    action             text,
    collapse_id        text
);
COMMENT ON TYPE landfall.delivery_event IS 'What a batch of events says about one notification: the columns of delivery.';

CREATE TYPE landfall.measure_change AS (
    app_id                     bigint,
    quarter                    timestamptz,
    campaign_id                bigint,
    segment_id                 bigint,
    attempted                  bigint,
    accepted                   bigint,
    rejected_token_dead        bigint,
    rejected_token_suspect     bigint,
    rejected_wrong_topic       bigint,
    rejected_wrong_environment bigint,
    rejected_payload_error     bigint,
    rejected_request_error     bigint,
    rejected_auth_error        bigint,
    rejected_throttled         bigint,
    rejected_provider_error    bigint,
    rejected_unknown           bigint,
    conflicting                bigint,
    reportable                 bigint,
    arrived                    bigint,
    arrived_reportable         bigint,
    confirmed                  bigint,
    presented                  bigint,
    clicked                    bigint,
    dismissed                  bigint,
    confirmed_unreported       bigint,
    responded_reportable       bigint,
    contradicted               bigint,
    unconfirmed_recalled       bigint,
    unconfirmed_not_reportable bigint
);
COMMENT ON TYPE landfall.measure_change IS 'What a batch of events adds to a row of delivery_rollup or segment_rollup; null adds nothing.';

CREATE TYPE landfall.token_change AS (
    token_id             bigint,
    state_before         text,
    registered_before    timestamptz,
    accepted_before      timestamptz,
    first_refused_before timestamptz,
    last_refused_before  timestamptz,
    died_before          timestamptz,
    state                text,
    cause                text,
    last_accepted_at     timestamptz,
    first_refused_at     timestamptz,
    last_refused_at      timestamptz,
    died_at              timestamptz
);
COMMENT ON TYPE landfall.token_change IS 'A token as the rules saw it, and as it is to be.';
