-- The label with which such a part begins, where no second one is listed with it, as in "A or B"
-- and "(A, C)" (evalscope 1.14, the rule for letters); '' where one is.
-- @engines both
CREATE MACRO only_label(text, letters) AS
CASE
    WHEN
        regexp_matches(
            text,
            replace(
                '\A(?:[(\[（【][\s\p{Z}]*[@][\s\p{Z}]*[,，/、][\s\p{Z}]*|[@][ ,，/、]+(?:(?:[Aa][Nn][Dd]|[Oo][Rr])[ ,，/、]+)?)[@]+(?:[^A-Za-z0-9]|\z)',
                '@', letters
            )
        )
        THEN ''
    ELSE first_group(text, replace('\A(?:[(\[（【][\s\p{Z}]*)?([@])(?:[^A-Za-z0-9]|\z)', '@', letters))
END
