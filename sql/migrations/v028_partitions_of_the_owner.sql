-- A server may run as a role that owns nothing: the partition of a day that its events need is made as the owner of the schema.

ALTER FUNCTION landfall.ensure_delivery_partition(date) SECURITY DEFINER;
ALTER FUNCTION landfall.ensure_delivery_partition(date) SET search_path = pg_catalog, pg_temp;
