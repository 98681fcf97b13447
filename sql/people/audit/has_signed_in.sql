-- Has a person with this name signed in from this address since an instant?
--
-- Parameters: $1 name, $2 address, $3 since.
SELECT EXISTS (
    SELECT FROM landfall.audit_entry
     WHERE at >= $3 AND act = 'sign_in' AND name = $1 AND address = $2
) AS has_signed_in;
