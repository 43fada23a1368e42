-- A text without 21 punctuation marks. One becomes a space, but it goes without one where it
-- stands next to a space anywhere in the text, and all do where a comma stands between digits.
CREATE MACRO vqa_marks_out(text) AS
CASE
WHEN vqa_commas(text) THEN translate(text, ';/[]"{}()=+\_-><@`,?!', '')
ELSE
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
CASE WHEN contains(text, '; ') OR contains(text, ' ;') THEN '' ELSE ' ' END
),
'/',
CASE WHEN contains(text, '/ ') OR contains(text, ' /') THEN '' ELSE ' ' END
),
'[',
CASE WHEN contains(text, '[ ') OR contains(text, ' [') THEN '' ELSE ' ' END
),
']',
CASE WHEN contains(text, '] ') OR contains(text, ' ]') THEN '' ELSE ' ' END
),
'"',
CASE WHEN contains(text, '" ') OR contains(text, ' "') THEN '' ELSE ' ' END
),
'{',
CASE WHEN contains(text, '{ ') OR contains(text, ' {') THEN '' ELSE ' ' END
),
'}',
CASE WHEN contains(text, '} ') OR contains(text, ' }') THEN '' ELSE ' ' END
),
'(',
CASE WHEN contains(text, '( ') OR contains(text, ' (') THEN '' ELSE ' ' END
),
')',
CASE WHEN contains(text, ') ') OR contains(text, ' )') THEN '' ELSE ' ' END
),
'=',
CASE WHEN contains(text, '= ') OR contains(text, ' =') THEN '' ELSE ' ' END
),
'+',
CASE WHEN contains(text, '+ ') OR contains(text, ' +') THEN '' ELSE ' ' END
),
'\',
CASE WHEN contains(text, '\ ') OR contains(text, ' \') THEN '' ELSE ' ' END
),
'_',
CASE WHEN contains(text, '_ ') OR contains(text, ' _') THEN '' ELSE ' ' END
),
'-',
CASE WHEN contains(text, '- ') OR contains(text, ' -') THEN '' ELSE ' ' END
),
'>',
CASE WHEN contains(text, '> ') OR contains(text, ' >') THEN '' ELSE ' ' END
),
'<',
CASE WHEN contains(text, '< ') OR contains(text, ' <') THEN '' ELSE ' ' END
),
'@',
CASE WHEN contains(text, '@ ') OR contains(text, ' @') THEN '' ELSE ' ' END
),
'`',
CASE WHEN contains(text, '` ') OR contains(text, ' `') THEN '' ELSE ' ' END
),
',',
CASE WHEN contains(text, ', ') OR contains(text, ' ,') THEN '' ELSE ' ' END
),
'?',
CASE WHEN contains(text, '? ') OR contains(text, ' ?') THEN '' ELSE ' ' END
),
'!',
CASE WHEN contains(text, '! ') OR contains(text, ' !') THEN '' ELSE ' ' END
)
END
