-- Preparation of a session or a transaction: its settings, its search path, the numbers of types.

-- name: commit_durably
-- Makes this session's commits wait for the disk, and for synchronous standbys if there are any, even if the
-- settings of the database or the role say otherwise. remote_apply, which is stricter, and remote_write,
-- which also waits for the local disk, stay as they are.
SELECT set_config('synchronous_commit', 'on', false)
 WHERE current_setting('synchronous_commit') = 'off'
    OR (current_setting('synchronous_commit') = 'local' AND current_setting('synchronous_standby_names') <> '');

-- name: plan_once
-- Plans each prepared statement once, whatever its parameters, and with index lookups. For batches: each of
-- their statements looks up or writes the rows that its arrays name.
--
-- The planner cannot know how many rows those are. A plan made while a table was small would read the whole
-- table from then on, and a hash join would lock rows in the order of a scan. An empty table, read once and
-- kept, seems cheaper than ten lookups.
--
-- Without statistics, the planner expects ten items to match a twentieth of the table, and JIT would compile
-- such a statement for half a second each time.
--
-- SET accepts no parameters, so the word after the colon is replaced in the text: SESSION or LOCAL.
SET :scope plan_cache_mode = force_generic_plan;
SET :scope enable_seqscan = off;
SET :scope enable_hashjoin = off;
SET :scope enable_mergejoin = off;
SET :scope enable_bitmapscan = off;
SET :scope enable_memoize = off;
SET :scope enable_material = off;
SET :scope jit = off;

-- name: limit_waiting
-- Ends statements that wait too long on the server, a little before the client closes the connection. So the
-- client learns the reason, and no locks outlive a client that a broken network cut off.
--
-- SET instead of set_config(), because a SELECT would take the transaction's snapshot, and the caller may
-- need a lock first. SET accepts no parameters, so the words after a colon are replaced in the text: SESSION
-- or LOCAL, and milliseconds.
SET :scope statement_timeout = :statement_ms;
SET :scope lock_timeout = :lock_ms;
SET :scope idle_in_transaction_session_timeout = :idle_ms;

-- name: use_snapshot
-- Makes the transaction just begun read-only, and lets all its queries see the database as of the first.
SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY;
-- With a pooler in between, the role has the settings of plan_once, which suit batches: a report that joins a
-- million rows by looking up each of them would not end. The best plan of a report depends on its parameters.
SET LOCAL plan_cache_mode = force_custom_plan;
SET LOCAL enable_seqscan = on;
SET LOCAL enable_hashjoin = on;
SET LOCAL enable_mergejoin = on;
SET LOCAL enable_bitmapscan = on;
SET LOCAL enable_memoize = on;
SET LOCAL enable_material = on;
-- The planner overestimates the cost of reports: compiling them takes longer than it saves.
SET LOCAL jit = off;
-- For the same reason it would expect hashing to spill, and sort long rows by text instead.
SET LOCAL work_mem = '64MB';

-- name: name_sketch_functions
-- Puts the schema of the extension hll, whichever it is, into the search path of this transaction. One row;
-- none if this database does not have the extension.
--
-- jit is off, because compiling such a statement takes longer than running it on sketches.
SELECT set_config('search_path',
                  concat_ws(', ', nullif(current_setting('search_path'), ''), quote_ident(namespace.nspname)),
                  true) AS search_path,
       set_config('jit', 'off', true) AS jit
  FROM pg_extension AS extension
  JOIN pg_namespace AS namespace ON namespace.oid = extension.extnamespace
 WHERE extension.extname = 'hll';

-- name: find_row_type
-- Which OID does a composite type have in this database?
-- $1 qualified name
SELECT $1::text::regtype::oid::bigint AS oid;
