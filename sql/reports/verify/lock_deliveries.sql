-- Keeps maintenance from dropping days of delivery until this transaction ends; other work goes on. It must come before the
-- transaction's first query, so that rows which that query sees remain for all later ones.
LOCK TABLE ONLY landfall.delivery IN ACCESS SHARE MODE;
