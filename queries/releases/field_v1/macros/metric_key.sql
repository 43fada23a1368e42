-- The name of a harness's figure for comparison: in lower case, and the words of a set, such as
-- MM-Vet's ocr_rec, in alphabetical order; a split is called by its name without test_ (ChartQA's
-- test_human).
CREATE MACRO metric_key(metric) AS
CASE
    WHEN contains(metric, 'Category=') AND contains(metric, '_')
        THEN python_lower(
            regexp_extract(metric, '(fine:)', 1)
            || 'Category='
            || array_to_string(
                list_sort(string_split(regexp_extract(metric, 'Category=([^|]*)', 1), '_')), '_'
            )
            || regexp_extract(metric, '([|][a-z]+)', 1)
        )
    ELSE replace(python_lower(metric), '_test_', '_')
END
