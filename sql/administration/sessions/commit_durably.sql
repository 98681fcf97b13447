-- Makes this session's commits wait for the disk, and for synchronous standbys if there are any, even if the settings of the
-- database or the role say otherwise. remote_apply, which is stricter, and remote_write, which also waits for the local disk,
-- stay as they are.
SELECT set_config('synchronous_commit', 'on', false)
 WHERE current_setting('synchronous_commit') = 'off'
    OR (current_setting('synchronous_commit') = 'local' AND current_setting('synchronous_standby_names') <> '');
