-- Lets the rest of this transaction name the functions of the extension hll, in whatever schema somebody has put them.
-- One row; none where this database does not have the extension.
--
-- Compiling a statement (jit) takes longer than answering it from sketches.
SELECT set_config('search_path',
                  concat_ws(', ', nullif(current_setting('search_path'), ''), quote_ident(namespace.nspname)),
                  true) AS search_path,
       set_config('jit', 'off', true) AS jit
  FROM pg_extension AS extension
  JOIN pg_namespace AS namespace ON namespace.oid = extension.extnamespace
 WHERE extension.extname = 'hll';
