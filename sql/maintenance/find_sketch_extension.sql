-- Which hll does this server offer, and which does this database have (null: none)? No row if the server has no such extension.
SELECT default_version, installed_version FROM pg_available_extensions WHERE name = 'hll';
