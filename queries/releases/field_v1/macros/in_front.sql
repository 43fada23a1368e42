-- A list with one more item in front; NULL for no list.
-- @engines both
CREATE MACRO in_front(item, items) AS
CASE WHEN items IS NOT NULL THEN list_concat([item], items) END
