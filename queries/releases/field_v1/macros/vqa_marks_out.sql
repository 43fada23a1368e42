-- A text without 21 punctuation marks. One becomes a space, but it goes without one where it
-- stands next to a space anywhere in the text, and all do where a comma stands between digits.
CREATE MACRO vqa_marks_out(text, has_comma) AS
replace(
replace(
replace(
replace(
replace(
replace(
replace(
replace(
replace(
replace(
replace(
replace(
replace(
replace(
replace(
replace(
replace(
replace(
replace(
replace(
replace(
text,
';',
CASE WHEN has_comma OR contains(text, '; ') OR contains(text, ' ;') THEN '' ELSE ' ' END
),
'/',
CASE WHEN has_comma OR contains(text, '/ ') OR contains(text, ' /') THEN '' ELSE ' ' END
),
'[',
CASE WHEN has_comma OR contains(text, '[ ') OR contains(text, ' [') THEN '' ELSE ' ' END
),
']',
CASE WHEN has_comma OR contains(text, '] ') OR contains(text, ' ]') THEN '' ELSE ' ' END
),
'"',
CASE WHEN has_comma OR contains(text, '" ') OR contains(text, ' "') THEN '' ELSE ' ' END
),
'{',
CASE WHEN has_comma OR contains(text, '{ ') OR contains(text, ' {') THEN '' ELSE ' ' END
),
'}',
CASE WHEN has_comma OR contains(text, '} ') OR contains(text, ' }') THEN '' ELSE ' ' END
),
'(',
CASE WHEN has_comma OR contains(text, '( ') OR contains(text, ' (') THEN '' ELSE ' ' END
),
')',
CASE WHEN has_comma OR contains(text, ') ') OR contains(text, ' )') THEN '' ELSE ' ' END
),
'=',
CASE WHEN has_comma OR contains(text, '= ') OR contains(text, ' =') THEN '' ELSE ' ' END
),
'+',
CASE WHEN has_comma OR contains(text, '+ ') OR contains(text, ' +') THEN '' ELSE ' ' END
),
'\',
CASE WHEN has_comma OR contains(text, '\ ') OR contains(text, ' \') THEN '' ELSE ' ' END
),
'_',
CASE WHEN has_comma OR contains(text, '_ ') OR contains(text, ' _') THEN '' ELSE ' ' END
),
'-',
CASE WHEN has_comma OR contains(text, '- ') OR contains(text, ' -') THEN '' ELSE ' ' END
),
'>',
CASE WHEN has_comma OR contains(text, '> ') OR contains(text, ' >') THEN '' ELSE ' ' END
),
'<',
CASE WHEN has_comma OR contains(text, '< ') OR contains(text, ' <') THEN '' ELSE ' ' END
),
'@',
CASE WHEN has_comma OR contains(text, '@ ') OR contains(text, ' @') THEN '' ELSE ' ' END
),
'`',
CASE WHEN has_comma OR contains(text, '` ') OR contains(text, ' `') THEN '' ELSE ' ' END
),
',',
CASE WHEN has_comma OR contains(text, ', ') OR contains(text, ' ,') THEN '' ELSE ' ' END
),
'?',
CASE WHEN has_comma OR contains(text, '? ') OR contains(text, ' ?') THEN '' ELSE ' ' END
),
'!',
CASE WHEN has_comma OR contains(text, '! ') OR contains(text, ' !') THEN '' ELSE ' ' END
)
