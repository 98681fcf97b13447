-- A receipt about the user or about the sender says nothing about the token; a 301 moves a whole bridge.
UPDATE landfall.provider_reason SET token_verdict = 'keep', outcome_class = CASE reason WHEN 'send control' THEN 'throttled' ELSE 'request_error' END
WHERE (provider, status, reason) IN (('huawei_receipt', '201', 'send control'), ('huawei_receipt', '22', 'user id mismatch'));
