-- What changed after this row of the ledger, and what is known of the tokens now? In the order of the feed. Rows that an open
-- transaction can still precede are held back.
-- $1 app_id, $2 after this transition; 0: from the beginning, $3 limit, $4 bound of the ledger
SELECT change.transition_id,
       change.at,
       change.from_state,
       change.to_state,
       change.rule,
       token.token_id,
       token.sealed_value,
       token.provider,
       token.kind,
       token.environment,
       token.topic,
       installation.device_id::text AS device_id,
       token.is_unproven AND NOT token.is_vouched AND token.last_accepted_at IS NULL AS is_unproven
FROM (SELECT transition.*
      FROM landfall.token_transition AS transition
      WHERE transition.app_id = $1
        AND (transition.written_by, transition.transition_id)
            > (coalesce((SELECT reached.written_by
                         FROM landfall.token_transition AS reached
                         WHERE reached.app_id = $1 AND reached.transition_id = $2), '0'::xid8), $2)
        AND transition.written_by < $4::text::xid8
      ORDER BY transition.written_by, transition.transition_id
      LIMIT $3
      OFFSET 0) AS change
JOIN landfall.token ON token.token_id = change.token_id
LEFT JOIN landfall.installation ON installation.installation_id = token.installation_id
ORDER BY change.written_by, change.transition_id;
