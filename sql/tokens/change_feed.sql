-- The feed of changes: rows of the ledger that no open transaction can precede.

-- name: ledger_bound
-- Below which number have all transactions ended that could have written to this database's ledger? One row.
-- A writer holds a lock on a table of this database from before it gets its number until after its rows are
-- visible. The snapshot is taken before the locks are read, so a transaction that starts in between has a
-- number at or above the bound. Run this before the statement that reads the ledger: rows whose locks are
-- gone are visible by then. The transaction that copies an app from another cell (AdvisoryLock.copy) is left
-- out: its rows have numbers below zero. pg_locks has only the lower 32 bits of transaction numbers. On a
-- standby, it shows no locks of the primary's writers: there, the bound is the oldest open transaction of all
-- databases.
WITH held AS MATERIALIZED (
    SELECT locktype, database, transactionid, virtualtransaction,
           locktype = 'advisory' AND classid = 19537 AND objsubid = 2 AS is_copy
    FROM pg_catalog.pg_locks
), ahead AS (
    SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS number,
           coalesce(pg_sequence_last_value('landfall.ledger_offset'), 0) AS more
), aged AS (
    SELECT virtualtransaction, locktype, database, is_copy,
           CASE WHEN locktype = 'transactionid'
                THEN mod((SELECT number FROM ahead) - transactionid::text::bigint + 4294967296, 4294967296) END AS age
    FROM held
), open AS (
    -- Grouped instead of joined: a join would compare every lock with every other.
    SELECT max(age) FILTER (WHERE age < 2147483648) AS age FROM aged
    GROUP BY virtualtransaction
    HAVING bool_or(locktype = 'relation'
                   AND database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()))
       AND NOT bool_or(is_copy)
)
SELECT ahead.more + CASE WHEN pg_is_in_recovery() THEN pg_snapshot_xmin(pg_current_snapshot())::text::bigint
                         ELSE ahead.number - coalesce((SELECT max(age) FROM open), 0) END AS bound
FROM ahead;

-- name: last_transition
-- Which is the newest transition of the app's ledger that no open transaction can precede? No row if there is
-- none.
-- $1 app_id, $2 bound of the ledger
SELECT transition_id, at, token_id, rule FROM landfall.token_transition
WHERE app_id = $1 AND written_by < $2
ORDER BY written_by DESC, transition_id DESC LIMIT 1;

-- name: find_passed_positions
-- After which of these positions of readers does the feed have a row that readers see? Also those of apps
-- whose ledger has moved to another cell. One row per position, its number.
-- $1 app_id[], $2 transition_id[] that the reader received last; 0: none, $3 bound of the ledger, $4 this
-- many hidden rows (page_changes) count as well: a reader passes them, so that they are not read each time.
-- OFFSET 0 makes the planner look up each position and token.
SELECT asked.position
FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS asked (app_id, transition_id, position)
LEFT JOIN LATERAL (
    SELECT known.written_by FROM landfall.token_transition AS known
    WHERE known.app_id = asked.app_id AND known.transition_id = asked.transition_id
    LIMIT 1 OFFSET 0
) AS reached ON true
CROSS JOIN LATERAL (
    SELECT count(*) AS rows, bool_and(later.from_state IS NULL AND token.is_unproven) AS is_hidden
    FROM (SELECT transition.token_id, transition.from_state
          FROM landfall.token_transition AS transition
          WHERE transition.app_id = asked.app_id
            AND (transition.written_by, transition.transition_id)
                > (coalesce(reached.written_by, '-9223372036854775808'::bigint), asked.transition_id)
            AND transition.written_by < $3
          ORDER BY transition.written_by, transition.transition_id LIMIT $4 OFFSET 0) AS later
    CROSS JOIN LATERAL (
        SELECT {{unproven(known)}} AS is_unproven FROM landfall.token AS known
        WHERE known.token_id = later.token_id
        OFFSET 0
    ) AS token
) AS passed
WHERE NOT passed.is_hidden OR passed.rows >= $4 OR asked.app_id = ANY ({{departed_apps}});

-- name: find_transition
-- Which row of the app's ledger has this number? No row if there is none.
-- $1 app_id, $2 transition_id
SELECT transition_id, at, token_id, rule FROM landfall.token_transition WHERE app_id = $1 AND transition_id = $2;

-- name: page_changes
-- What changed after this row of the ledger, and what is known of the tokens now? In the order of the feed.
-- Rows that an open transaction can still precede are held back. An unproven token has no value here: a
-- reader that has it from before removes it. The row with which it began is hidden. state is the present
-- one: rows are in the order in which their transactions began to write, which may not be that of the states.
-- $1 app_id, $2 after this transition; 0: from the beginning, $3 limit, $4 bound of the ledger
SELECT change.transition_id, change.at, change.from_state, change.to_state, change.rule, token.token_id,
       CASE WHEN NOT {{unproven(token)}} THEN token.sealed_value END AS sealed_value,
       CASE WHEN NOT {{unproven(token)}} THEN token.sealed_keys END AS sealed_keys,
       token.provider, token.kind, token.environment, token.topic, installation.device_id::text AS device_id,
       token.state, token.successor_id, change.from_state IS NULL AND {{unproven(token)}} AS is_hidden
FROM (SELECT transition.*
      FROM landfall.token_transition AS transition
      WHERE transition.app_id = $1
        AND (transition.written_by, transition.transition_id)
            > (coalesce((SELECT reached.written_by
                         FROM landfall.token_transition AS reached
                         WHERE reached.app_id = $1 AND reached.transition_id = $2),
                        '-9223372036854775808'::bigint), $2)
        AND transition.written_by < $4
      ORDER BY transition.written_by, transition.transition_id LIMIT $3 OFFSET 0) AS change
JOIN landfall.token ON token.token_id = change.token_id
LEFT JOIN landfall.installation ON installation.installation_id = token.installation_id
ORDER BY change.written_by, change.transition_id;

-- name: has_foreign_transitions
-- Whether there is a row of another cluster, such as one from a dump, that transactions of this cluster which
-- begin from now on could precede, and this session can write.
SELECT landfall.foreign_transition() IS NOT NULL AND current_setting('transaction_read_only') = 'off' AS is_foreign;

-- name: adopt_transitions
-- Numbers the transactions from now on above all rows, if there are any of another cluster.
SELECT landfall.adopt_transitions() IS NULL AS is_done;
