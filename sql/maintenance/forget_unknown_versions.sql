-- Forgets that versions nobody knows have reported, which only a server of an earlier version notes (see reporting_version).
DELETE FROM landfall.reporting_version WHERE app_version = '';
