-- What does each listed response of each provider mean?
SELECT provider, status, reason, outcome_class, token_verdict FROM landfall.provider_reason;
