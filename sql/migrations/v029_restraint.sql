-- A receipt about the user or about the sender says nothing about the token.
UPDATE landfall.provider_reason SET token_verdict = 'keep', outcome_class = 'request_error'
WHERE (provider, status, reason) = ('huawei_receipt', '22', 'user id mismatch');
UPDATE landfall.provider_reason SET token_verdict = 'keep', outcome_class = 'throttled'
WHERE (provider, status, reason) = ('huawei_receipt', '201', 'send control');
UPDATE landfall.provider_answer AS answer SET outcome_class = listed.outcome_class
  FROM landfall.provider_reason AS listed
 WHERE listed.provider = 'huawei_receipt' AND listed.status IN ('22', '201')
   AND (answer.provider, answer.status::text, answer.reason) = (listed.provider, listed.status, listed.reason);

-- As before, and only for days that notifications can be of: anyone who may read the schema may call it, and it runs as the owner.
CREATE OR REPLACE FUNCTION landfall.ensure_delivery_partition(day date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    partition_name text := 'delivery_' || to_char(day, 'YYYYMMDD');
BEGIN
    IF abs(day - current_date) > 3653 THEN
        RAISE EXCEPTION 'the day % is more than ten years from now', day USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF to_regclass('landfall.' || partition_name) IS NULL THEN
        -- Attaching waits for no reader; CREATE TABLE … PARTITION OF would wait for all, with every writer behind it.
        EXECUTE format(
            'CREATE TABLE landfall.%I (LIKE landfall.delivery INCLUDING ALL) WITH (fillfactor = 45)', partition_name);
        EXECUTE format(
            'ALTER TABLE landfall.delivery ATTACH PARTITION landfall.%I FOR VALUES FROM (%L) TO (%L)',
            partition_name, day::text || ' 00:00:00+00', (day + 1)::text || ' 00:00:00+00');
    END IF;
EXCEPTION
    WHEN duplicate_table OR duplicate_object OR unique_violation THEN NULL;
END;
$$;
ALTER FUNCTION landfall.ensure_delivery_partition(date) SECURITY DEFINER;
ALTER FUNCTION landfall.ensure_delivery_partition(date) SET search_path = pg_catalog, pg_temp;
