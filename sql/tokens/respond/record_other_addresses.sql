-- Records responses about registered tokens under another address, with those tokens.
-- $1 app_id[], $2 token_id[], $3 provider[], $4 environment[], $5 topic[], $6 responses[], $7 send time of the last push that was
-- accepted[] and $8 rejected[], or null, $9 last status[], $10 last reason[], $11 now; each token and address once
INSERT INTO landfall.token_other_address AS known (app_id, token_id, provider, environment, topic, last_said_at,
                                                   response_count, last_accepted_at, last_rejected_at, last_status,
                                                   last_reason)
SELECT app_id, token_id, provider, environment, topic, $11, responses, accepted_at, rejected_at, status, reason
FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::timestamptz[],
            $8::timestamptz[], $9::integer[], $10::text[])
     AS said (app_id, token_id, provider, environment, topic, responses, accepted_at, rejected_at, status, reason)
ORDER BY token_id, provider, environment, topic
ON CONFLICT (token_id, provider, environment, topic) DO UPDATE
SET last_said_at     = greatest(known.last_said_at, excluded.last_said_at),
    response_count   = known.response_count + excluded.response_count,
    last_accepted_at = greatest(known.last_accepted_at, excluded.last_accepted_at),
    last_rejected_at = greatest(known.last_rejected_at, excluded.last_rejected_at),
    last_status      = excluded.last_status,
    last_reason      = excluded.last_reason;
