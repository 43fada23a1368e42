-- Stand-in.
CREATE MACRO yes_no_read(text) AS CASE WHEN contains(lower(text), 'yes') AND NOT contains(lower(text), 'no') THEN 'yes' WHEN contains(lower(text), 'no') AND NOT contains(lower(text), 'yes') THEN 'no' END
