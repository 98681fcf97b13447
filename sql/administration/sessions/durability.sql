-- Does this server keep committed data when the machine crashes? One row with three settings as text.
SELECT current_setting('fsync')              AS fsync,
       current_setting('full_page_writes')   AS full_page_writes,
       current_setting('synchronous_commit') AS synchronous_commit;
