-- At which item does a walk through a quarantine end? Items that come in later are not part of it.
-- $1 app_id
SELECT coalesce(max(item_id), 0) AS item_id FROM landfall.quarantined_item WHERE app_id = $1;
