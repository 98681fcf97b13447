-- Puts the schema of the extension hll, whichever it is, into the search path of this transaction. One row; none if this database
-- does not have the extension.
--
-- jit is off, because compiling such a statement takes longer than running it on sketches.
SELECT set_config('search_path',
                  concat_ws(', ', nullif(current_setting('search_path'), ''), quote_ident(namespace.nspname)),
                  true) AS search_path,
       set_config('jit', 'off', true) AS jit
  FROM pg_extension AS extension
  JOIN pg_namespace AS namespace ON namespace.oid = extension.extnamespace
 WHERE extension.extname = 'hll';
