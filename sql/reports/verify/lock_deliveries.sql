-- Keeps maintenance from dropping days of delivery while this transaction lasts; nobody else minds. Comes before the
-- transaction's first query, so that what that one sees is still there for all that follow.
LOCK TABLE ONLY landfall.delivery IN ACCESS SHARE MODE;
