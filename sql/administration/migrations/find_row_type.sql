-- Which OID does a composite type have in this database?
-- $1 qualified name
SELECT $1::text::regtype::oid::bigint AS oid;
