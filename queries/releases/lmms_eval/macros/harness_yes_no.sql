-- What a text says to a question of yes or no: to POPE the word alone (tasks/pope/utils.py); to MME
-- the word, its first letter, or a word within the first four characters (tasks/mme/utils.py); to
-- other benchmarks as field_v1 reads it. NULL: neither.
CREATE MACRO harness_yes_no(benchmark, text) AS
CASE benchmark
    WHEN 'POPE'
        THEN
            CASE
                WHEN stripped(python_lower(text)) IN ('yes', 'no') THEN stripped(python_lower(text))
            END
    WHEN 'MME'
        THEN list_max(
            list_transform(
                [replace(stripped(python_lower(text)), '.', '')],
                lambda t_:
                    CASE
                        WHEN t_ = 'y' OR contains(substr(t_, 1, 4), 'yes') THEN 'yes'
                        WHEN t_ = 'n' OR contains(substr(t_, 1, 4), 'no') THEN 'no'
                    END
            )
        )
    ELSE yes_no_read(text)
END
