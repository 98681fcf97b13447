-- Makes this session's commits wait for the disk where the database or the role would have them not wait. Stricter choices, such
-- as remote_apply, and remote_write, which waits for the own disk as well, stay as they are.
SELECT set_config('synchronous_commit', 'on', false)
 WHERE current_setting('synchronous_commit') = 'off'
    OR (current_setting('synchronous_commit') = 'local' AND current_setting('synchronous_standby_names') <> '');
