-- Several references as the one text that a harness's file holds: ['7', 'seven']; one is itself.
CREATE MACRO python_list(answers) AS
CASE
    WHEN array_length(answers) = 1 THEN array_to_string(answers, '')
    ELSE '['
        || array_to_string(
            list_transform(
                answers,
                lambda x_:
                    CASE
                        WHEN contains(x_, '''') AND NOT contains(x_, '"') THEN '"' || x_ || '"'
                        ELSE '''' || replace(x_, '''', decode(unhex('5C')) || '''') || ''''
                    END
            ),
            ', '
        )
        || ']'
END
