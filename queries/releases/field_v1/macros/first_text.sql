-- The first of a list of texts; '' where that is NULL or there is none.
-- @engines both
CREATE MACRO first_text(items) AS
coalesce(array_to_string(list_filter(items, lambda x_, i_: i_ = 1), ''), '')
