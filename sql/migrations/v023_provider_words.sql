-- Configuration errors touch no token; HMS and Expo; the words by which admin SDKs pass on FCM's errors (docs/decisions/0040).

-- Valid tokens of another app, project or key: one wrong bundle id would put a whole audience in doubt.
UPDATE landfall.provider_reason SET token_verdict = 'keep'
WHERE (provider, reason) IN (('apns', 'DeviceTokenNotForTopic'), ('fcm', 'SENDER_ID_MISMATCH'),
                             ('webpush_apple', 'VapidPkHashMismatch'));

INSERT INTO landfall.provider_reason (provider, status, reason, outcome_class, token_verdict, retryable, source) VALUES
    ('fcm', '*', 'UNREGISTERED', 'token_dead', 'invalidate', 'no', 'fcm:reference/rest/v1/ErrorCode (the status was not passed on)'),
    ('fcm', '*', 'SENDER_ID_MISMATCH', 'wrong_topic', 'keep', 'after_fix', 'fcm:reference/rest/v1/ErrorCode (the status was not passed on)'),
    ('fcm', '*', 'QUOTA_EXCEEDED', 'throttled', 'keep', 'after_delay', 'fcm:reference/rest/v1/ErrorCode (the status was not passed on)'),
    ('fcm', '*', 'RESOURCE_EXHAUSTED', 'throttled', 'keep', 'after_delay', 'fcm:reference/rest/v1/ErrorCode (the status was not passed on)'),
    ('fcm', '*', 'UNAVAILABLE', 'provider_error', 'keep', 'after_delay', 'fcm:reference/rest/v1/ErrorCode (the status was not passed on)'),
    ('fcm', '*', 'INTERNAL', 'provider_error', 'keep', 'after_delay', 'fcm:reference/rest/v1/ErrorCode (the status was not passed on)'),
    ('fcm', '*', 'THIRD_PARTY_AUTH_ERROR', 'auth_error', 'keep', 'after_fix', 'fcm:reference/rest/v1/ErrorCode (the status was not passed on)'),
    ('fcm', '*', 'UNAUTHENTICATED', 'auth_error', 'keep', 'after_fix', 'fcm:reference/rest/v1/ErrorCode (the status was not passed on)'),
    ('fcm', '*', 'PERMISSION_DENIED', 'auth_error', 'keep', 'after_fix', 'fcm:reference/rest/v1/ErrorCode (the status was not passed on)'),
    ('fcm', '*', 'INVALID_ARGUMENT', 'request_error', 'keep', 'after_fix', 'fcm:reference/rest/v1/ErrorCode (the status was not passed on)'),
    ('fcm', '*', 'INVALID_ARGUMENT+BadRequest', 'payload_error', 'keep', 'after_fix', 'fcm:reference/rest/v1/ErrorCode (the status was not passed on)'),
    ('fcm', '*', 'INVALID_ARGUMENT+message not a valid FCM registration token', 'token_suspect', 'suspect', 'no', 'fcm:reference/rest/v1/ErrorCode (the status was not passed on)'),
    ('fcm', '*', 'NOT_FOUND without FcmError', 'request_error', 'keep', 'after_fix', 'fcm:reference/rest/v1/ErrorCode (the status was not passed on)'),
    ('fcm', '*', 'messaging/registration-token-not-registered', 'token_dead', 'invalidate', 'no', 'firebase-admin-node messaging error codes'),
    ('fcm', '*', 'messaging/installation-id-not-registered', 'token_dead', 'invalidate_if_not_reregistered_since_timestamp', 'no', 'firebase-admin-node messaging error codes'),
    ('fcm', '*', 'messaging/invalid-registration-token', 'token_suspect', 'suspect', 'no', 'firebase-admin-node messaging error codes'),
    ('fcm', '*', 'messaging/invalid-recipient', 'token_suspect', 'suspect', 'no', 'firebase-admin-node messaging error codes'),
    ('fcm', '*', 'messaging/mismatched-credential', 'wrong_topic', 'keep', 'after_fix', 'firebase-admin-node messaging error codes'),
    ('fcm', '*', 'messaging/invalid-argument', 'request_error', 'keep', 'after_fix', 'firebase-admin-node messaging error codes'),
    ('fcm', '*', 'messaging/invalid-package-name', 'request_error', 'keep', 'after_fix', 'firebase-admin-node messaging error codes'),
    ('fcm', '*', 'messaging/invalid-options', 'request_error', 'keep', 'after_fix', 'firebase-admin-node messaging error codes'),
    ('fcm', '*', 'messaging/invalid-payload', 'payload_error', 'keep', 'after_fix', 'firebase-admin-node messaging error codes'),
    ('fcm', '*', 'messaging/invalid-data-payload-key', 'payload_error', 'keep', 'after_fix', 'firebase-admin-node messaging error codes'),
    ('fcm', '*', 'messaging/payload-size-limit-exceeded', 'payload_error', 'keep', 'after_fix', 'firebase-admin-node messaging error codes'),
    ('fcm', '*', 'messaging/message-rate-exceeded', 'throttled', 'keep', 'after_delay', 'firebase-admin-node messaging error codes'),
    ('fcm', '*', 'messaging/device-message-rate-exceeded', 'throttled', 'keep', 'after_delay', 'firebase-admin-node messaging error codes'),
    ('fcm', '*', 'messaging/topics-message-rate-exceeded', 'throttled', 'keep', 'after_delay', 'firebase-admin-node messaging error codes'),
    ('fcm', '*', 'messaging/quota-exceeded', 'throttled', 'keep', 'after_delay', 'firebase-admin-node messaging error codes'),
    ('fcm', '*', 'messaging/third-party-auth-error', 'auth_error', 'keep', 'after_fix', 'firebase-admin-node messaging error codes'),
    ('fcm', '*', 'messaging/invalid-apns-credentials', 'auth_error', 'keep', 'after_fix', 'firebase-admin-node messaging error codes'),
    ('fcm', '*', 'messaging/authentication-error', 'auth_error', 'keep', 'after_fix', 'firebase-admin-node messaging error codes'),
    ('fcm', '*', 'messaging/server-unavailable', 'provider_error', 'keep', 'after_delay', 'firebase-admin-node messaging error codes'),
    ('fcm', '*', 'messaging/internal-error', 'provider_error', 'keep', 'after_delay', 'firebase-admin-node messaging error codes'),
    ('fcm', '*', 'messaging/unknown-error', 'unknown', 'keep', 'after_delay', 'firebase-admin-node messaging error codes'),
    ('fcm', '*', 'UnregisteredError', 'token_dead', 'invalidate', 'no', 'firebase-admin-python firebase_admin.messaging exceptions'),
    ('fcm', '*', 'SenderIdMismatchError', 'wrong_topic', 'keep', 'after_fix', 'firebase-admin-python firebase_admin.messaging exceptions'),
    ('fcm', '*', 'QuotaExceededError', 'throttled', 'keep', 'after_delay', 'firebase-admin-python firebase_admin.messaging exceptions'),
    ('fcm', '*', 'ThirdPartyAuthError', 'auth_error', 'keep', 'after_fix', 'firebase-admin-python firebase_admin.messaging exceptions'),
    ('fcm', '*', 'UnavailableError', 'provider_error', 'keep', 'after_delay', 'firebase-admin-python firebase_admin.messaging exceptions'),
    ('fcm', '*', 'InternalError', 'provider_error', 'keep', 'after_delay', 'firebase-admin-python firebase_admin.messaging exceptions'),
    ('hms', '200', '', 'accepted', 'keep', 'no', 'huawei:push-kit https-send-api (business result codes)'),
    ('hms', '200', '80000000', 'accepted', 'keep', 'no', 'huawei:push-kit https-send-api (business result codes)'),
    ('hms', '*', '80000000', 'accepted', 'keep', 'no', 'huawei:push-kit https-send-api (business result codes) (beside an HTTP status other than 200)'),
    ('hms', '200', 'Success', 'accepted', 'keep', 'no', 'huawei:push-kit https-send-api (business result codes)'),
    ('hms', '200', '80100000', 'unknown', 'keep', 'no', 'huawei:push-kit https-send-api (business result codes) (some tokens of the request were invalid; a response is about one)'),
    ('hms', '*', '80100000', 'unknown', 'keep', 'no', 'huawei:push-kit https-send-api (business result codes) (some tokens of the request were invalid; a response is about one) (beside an HTTP status other than 200)'),
    ('hms', '200', '80100001', 'request_error', 'keep', 'after_fix', 'huawei:push-kit https-send-api (business result codes)'),
    ('hms', '*', '80100001', 'request_error', 'keep', 'after_fix', 'huawei:push-kit https-send-api (business result codes) (beside an HTTP status other than 200)'),
    ('hms', '200', '80100003', 'payload_error', 'keep', 'after_fix', 'huawei:push-kit https-send-api (business result codes)'),
    ('hms', '*', '80100003', 'payload_error', 'keep', 'after_fix', 'huawei:push-kit https-send-api (business result codes) (beside an HTTP status other than 200)'),
    ('hms', '200', '80100004', 'request_error', 'keep', 'after_fix', 'huawei:push-kit https-send-api (business result codes)'),
    ('hms', '*', '80100004', 'request_error', 'keep', 'after_fix', 'huawei:push-kit https-send-api (business result codes) (beside an HTTP status other than 200)'),
    ('hms', '200', '80100013', 'request_error', 'keep', 'after_fix', 'huawei:push-kit https-send-api (business result codes)'),
    ('hms', '*', '80100013', 'request_error', 'keep', 'after_fix', 'huawei:push-kit https-send-api (business result codes) (beside an HTTP status other than 200)'),
    ('hms', '200', '80100016', 'payload_error', 'keep', 'after_fix', 'huawei:push-kit https-send-api (business result codes)'),
    ('hms', '*', '80100016', 'payload_error', 'keep', 'after_fix', 'huawei:push-kit https-send-api (business result codes) (beside an HTTP status other than 200)'),
    ('hms', '200', '80100017', 'throttled', 'keep', 'after_delay', 'huawei:push-kit https-send-api (business result codes)'),
    ('hms', '*', '80100017', 'throttled', 'keep', 'after_delay', 'huawei:push-kit https-send-api (business result codes) (beside an HTTP status other than 200)'),
    ('hms', '200', '80100018', 'payload_error', 'keep', 'after_fix', 'huawei:push-kit https-send-api (business result codes)'),
    ('hms', '*', '80100018', 'payload_error', 'keep', 'after_fix', 'huawei:push-kit https-send-api (business result codes) (beside an HTTP status other than 200)'),
    ('hms', '200', '80200001', 'auth_error', 'keep', 'after_fix', 'huawei:push-kit https-send-api (business result codes)'),
    ('hms', '*', '80200001', 'auth_error', 'keep', 'after_fix', 'huawei:push-kit https-send-api (business result codes) (beside an HTTP status other than 200)'),
    ('hms', '200', '80200003', 'auth_error', 'keep', 'after_fix', 'huawei:push-kit https-send-api (business result codes)'),
    ('hms', '*', '80200003', 'auth_error', 'keep', 'after_fix', 'huawei:push-kit https-send-api (business result codes) (beside an HTTP status other than 200)'),
    ('hms', '200', '80200005', 'auth_error', 'keep', 'after_fix', 'huawei:push-kit https-send-api (business result codes)'),
    ('hms', '*', '80200005', 'auth_error', 'keep', 'after_fix', 'huawei:push-kit https-send-api (business result codes) (beside an HTTP status other than 200)'),
    ('hms', '200', '80300002', 'auth_error', 'keep', 'after_fix', 'huawei:push-kit https-send-api (business result codes)'),
    ('hms', '*', '80300002', 'auth_error', 'keep', 'after_fix', 'huawei:push-kit https-send-api (business result codes) (beside an HTTP status other than 200)'),
    ('hms', '200', '80300007', 'token_dead', 'invalidate_if_not_reregistered_since_timestamp', 'no', 'huawei:push-kit https-send-api (business result codes) (all tokens of the request are invalid; a wrong package or app id says the same, hence the breaker)'),
    ('hms', '*', '80300007', 'token_dead', 'invalidate_if_not_reregistered_since_timestamp', 'no', 'huawei:push-kit https-send-api (business result codes) (all tokens of the request are invalid; a wrong package or app id says the same, hence the breaker) (beside an HTTP status other than 200)'),
    ('hms', '200', '80300008', 'payload_error', 'keep', 'no', 'huawei:push-kit https-send-api (business result codes)'),
    ('hms', '*', '80300008', 'payload_error', 'keep', 'no', 'huawei:push-kit https-send-api (business result codes) (beside an HTTP status other than 200)'),
    ('hms', '200', '80300010', 'request_error', 'keep', 'after_fix', 'huawei:push-kit https-send-api (business result codes)'),
    ('hms', '*', '80300010', 'request_error', 'keep', 'after_fix', 'huawei:push-kit https-send-api (business result codes) (beside an HTTP status other than 200)'),
    ('hms', '200', '80300011', 'request_error', 'keep', 'after_fix', 'huawei:push-kit https-send-api (business result codes)'),
    ('hms', '*', '80300011', 'request_error', 'keep', 'after_fix', 'huawei:push-kit https-send-api (business result codes) (beside an HTTP status other than 200)'),
    ('hms', '200', '80300013', 'request_error', 'keep', 'after_fix', 'huawei:push-kit https-send-api (business result codes)'),
    ('hms', '*', '80300013', 'request_error', 'keep', 'after_fix', 'huawei:push-kit https-send-api (business result codes) (beside an HTTP status other than 200)'),
    ('hms', '200', '80600003', 'auth_error', 'keep', 'after_fix', 'huawei:push-kit https-send-api (business result codes)'),
    ('hms', '*', '80600003', 'auth_error', 'keep', 'after_fix', 'huawei:push-kit https-send-api (business result codes) (beside an HTTP status other than 200)'),
    ('hms', '200', '81000001', 'provider_error', 'keep', 'after_delay', 'huawei:push-kit https-send-api (business result codes)'),
    ('hms', '*', '81000001', 'provider_error', 'keep', 'after_delay', 'huawei:push-kit https-send-api (business result codes) (beside an HTTP status other than 200)'),
    ('hms', '200', '*', 'unknown', 'keep', 'no', 'huawei:push-kit https-send-api (business result codes) (a 200 carries a code; this one is not listed)'),
    ('hms', '400', '', 'request_error', 'keep', 'after_fix', 'huawei:push-kit https-send-api (HTTP status codes)'),
    ('hms', '401', '', 'auth_error', 'keep', 'after_fix', 'huawei:push-kit https-send-api (HTTP status codes)'),
    ('hms', '404', '', 'request_error', 'keep', 'after_fix', 'huawei:push-kit https-send-api (HTTP status codes)'),
    ('hms', '500', '', 'provider_error', 'keep', 'after_delay', 'huawei:push-kit https-send-api (HTTP status codes)'),
    ('hms', '502', '', 'provider_error', 'keep', 'after_delay', 'huawei:push-kit https-send-api (HTTP status codes)'),
    ('hms', '503', '', 'throttled', 'keep', 'after_delay', 'huawei:push-kit https-send-api (HTTP status codes)'),
    ('hms', '5xx', '*', 'provider_error', 'keep', 'after_delay', 'inferred'),
    ('hms', '0', 'NO_RESPONSE', 'unknown', 'keep', 'after_delay', 'inferred'),
    ('hms', '*', '*', 'unknown', 'keep', 'no', 'inferred'),
    ('expo', '200', '', 'accepted', 'keep', 'no', 'expo:push-notifications/sending-notifications (errors of tickets and receipts)'),
    ('expo', '200', 'DeviceNotRegistered', 'token_dead', 'invalidate_if_not_reregistered_since_timestamp', 'no', 'expo:push-notifications/sending-notifications (errors of tickets and receipts)'),
    ('expo', '*', 'DeviceNotRegistered', 'token_dead', 'invalidate_if_not_reregistered_since_timestamp', 'no', 'expo:push-notifications/sending-notifications (errors of tickets and receipts)'),
    ('expo', '200', 'MessageTooBig', 'payload_error', 'keep', 'no', 'expo:push-notifications/sending-notifications (errors of tickets and receipts)'),
    ('expo', '*', 'MessageTooBig', 'payload_error', 'keep', 'no', 'expo:push-notifications/sending-notifications (errors of tickets and receipts)'),
    ('expo', '200', 'MessageRateExceeded', 'throttled', 'keep', 'after_delay', 'expo:push-notifications/sending-notifications (errors of tickets and receipts)'),
    ('expo', '*', 'MessageRateExceeded', 'throttled', 'keep', 'after_delay', 'expo:push-notifications/sending-notifications (errors of tickets and receipts)'),
    ('expo', '200', 'MismatchSenderId', 'auth_error', 'keep', 'after_fix', 'expo:push-notifications/sending-notifications (errors of tickets and receipts)'),
    ('expo', '*', 'MismatchSenderId', 'auth_error', 'keep', 'after_fix', 'expo:push-notifications/sending-notifications (errors of tickets and receipts)'),
    ('expo', '200', 'InvalidCredentials', 'auth_error', 'keep', 'after_fix', 'expo:push-notifications/sending-notifications (errors of tickets and receipts)'),
    ('expo', '*', 'InvalidCredentials', 'auth_error', 'keep', 'after_fix', 'expo:push-notifications/sending-notifications (errors of tickets and receipts)'),
    ('expo', '200', 'DeveloperError', 'request_error', 'keep', 'after_fix', 'expo-server-sdk-node types of receipts'),
    ('expo', '*', 'DeveloperError', 'request_error', 'keep', 'after_fix', 'expo-server-sdk-node types of receipts'),
    ('expo', '200', 'ProviderError', 'provider_error', 'keep', 'after_delay', 'expo-server-sdk-node types of receipts'),
    ('expo', '*', 'ProviderError', 'provider_error', 'keep', 'after_delay', 'expo-server-sdk-node types of receipts'),
    ('expo', '200', 'ExpoError', 'provider_error', 'keep', 'after_delay', 'expo-server-sdk-node types of receipts'),
    ('expo', '*', 'ExpoError', 'provider_error', 'keep', 'after_delay', 'expo-server-sdk-node types of receipts'),
    ('expo', '200', '*', 'unknown', 'keep', 'no', 'a ticket with an error that is not listed'),
    ('expo', '*', 'TOO_MANY_REQUESTS', 'throttled', 'keep', 'after_delay', 'expo:push-notifications/sending-notifications (errors of requests)'),
    ('expo', '*', 'PUSH_TOO_MANY_EXPERIENCE_IDS', 'request_error', 'keep', 'after_fix', 'expo:push-notifications/sending-notifications (errors of requests)'),
    ('expo', '*', 'PUSH_TOO_MANY_NOTIFICATIONS', 'request_error', 'keep', 'after_fix', 'expo:push-notifications/sending-notifications (errors of requests)'),
    ('expo', '*', 'PUSH_TOO_MANY_RECEIPTS', 'request_error', 'keep', 'after_fix', 'expo:push-notifications/sending-notifications (errors of requests)'),
    ('expo', '*', 'VALIDATION_ERROR', 'request_error', 'keep', 'after_fix', 'expo:push-notifications/sending-notifications (errors of requests)'),
    ('expo', '*', 'UNAUTHORIZED', 'auth_error', 'keep', 'after_fix', 'expo:push-notifications/sending-notifications (errors of requests)'),
    ('expo', '400', '', 'request_error', 'keep', 'after_fix', 'inferred'),
    ('expo', '401', '', 'auth_error', 'keep', 'after_fix', 'inferred'),
    ('expo', '403', '', 'auth_error', 'keep', 'after_fix', 'inferred'),
    ('expo', '429', '', 'throttled', 'keep', 'after_delay', 'inferred'),
    ('expo', '5xx', '*', 'provider_error', 'keep', 'after_delay', 'inferred'),
    ('expo', '0', 'NO_RESPONSE', 'unknown', 'keep', 'after_delay', 'inferred'),
    ('expo', '*', '*', 'unknown', 'keep', 'no', 'inferred');

-- The words come before the status: a word that is listed under any status says more than `*` under one.
CREATE OR REPLACE FUNCTION landfall.listed_answer(provider text, status integer, reason text)
RETURNS TABLE (retryable text, token_verdict text)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT listed.retryable, listed.token_verdict
      FROM landfall.provider_reason AS listed
     WHERE listed.provider = $1
       AND listed.status IN ($2::text, $2 / 100 || 'xx', '*')
       AND listed.reason IN (CASE WHEN $2 = 0 AND $3 = '' THEN 'NO_RESPONSE' ELSE $3 END, '*')
     ORDER BY listed.reason = '*', CASE listed.status WHEN $2::text THEN 0 WHEN '*' THEN 2 ELSE 1 END
     LIMIT 1
$$;
COMMENT ON FUNCTION landfall.listed_answer IS 'What provider_reason says can be done about a response, looked up as responses are classified: the exact words under the status, its range, any status; then any other reason under these. No row for a provider that is not listed.';

CREATE FUNCTION landfall.is_listed_answer(provider text, status integer, reason text) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    -- As RejectionTaxonomy.outcome looks it up: any 2xx is acceptance, and where single reasons are listed under a status, the rest of
    -- them is not listed.
    SELECT EXISTS (SELECT 1
                     FROM landfall.provider_reason AS listed
                    WHERE listed.provider = $1
                      AND listed.reason = CASE WHEN $2 = 0 AND $3 = '' THEN 'NO_RESPONSE' ELSE $3 END
                      AND listed.status IN ($2::text, $2 / 100 || 'xx', '*'))
        OR EXISTS (SELECT 1
                     FROM landfall.provider_reason AS listed
                    WHERE listed.provider = $1 AND listed.reason = '*' AND listed.status IN ($2::text, $2 / 100 || 'xx')
                      AND (($3 = '' AND listed.token_verdict <> 'keep')
                           OR NOT EXISTS (SELECT 1
                                            FROM landfall.provider_reason AS other
                                           WHERE other.provider = listed.provider AND other.status = listed.status
                                             AND other.reason NOT IN ('', '*'))))
        OR ($2 BETWEEN 200 AND 299
            AND NOT EXISTS (SELECT 1
                              FROM landfall.provider_reason AS listed
                             WHERE listed.provider = $1 AND listed.reason = '*' AND listed.status = $2::text))
$$;
COMMENT ON FUNCTION landfall.is_listed_answer IS 'Whether provider_reason knows a response: what it does not know counts as unknown, or as any other reason under that status, and the doctor says so.';

-- Found by the doctor: tokens that only senders know, the newest first.
CREATE INDEX token_unregistered_idx ON landfall.token (app_id, token_id) WHERE installation_id IS NULL;
COMMENT ON INDEX landfall.token_unregistered_idx IS 'Tokens that responses name and no app has registered.';
