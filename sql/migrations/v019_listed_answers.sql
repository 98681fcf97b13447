-- What the list says of an answer is looked up in one place: reports of rejections and the doctor must not tell two things of one.

CREATE FUNCTION landfall.listed_answer(provider text, status integer, reason text)
RETURNS TABLE (retryable text, token_verdict text)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT listed.retryable, listed.token_verdict
      FROM landfall.provider_reason AS listed
     WHERE listed.provider = $1
       AND listed.status IN ($2::text, $2 / 100 || 'xx', '*')
       AND listed.reason IN (CASE WHEN $2 = 0 AND $3 = '' THEN 'NO_RESPONSE' ELSE $3 END, '*')
     ORDER BY CASE listed.status WHEN $2::text THEN 0 WHEN '*' THEN 2 ELSE 1 END, listed.reason = '*'
     LIMIT 1
$$;
COMMENT ON FUNCTION landfall.listed_answer IS 'What provider_reason says can be done about an answer, looked up as answers are classified: the exact words, any under the status, the ranges, any status. No row for a provider that is not listed.';
