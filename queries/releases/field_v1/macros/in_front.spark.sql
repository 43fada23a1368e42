-- A list with one more item in front; NULL for no list.
CREATE MACRO in_front(item, items) AS
concat(array(item), items)
