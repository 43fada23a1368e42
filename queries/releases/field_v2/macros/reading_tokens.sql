-- What reading_plain left as words and marks in lower case, each between spaces of its own (two
-- stand between two words), numbers whole. A capital that stands alone may be a label: ⌖ stands
-- before it; ⍟ where it may be part of a name, after a word with a capital.
CREATE MACRO reading_tokens(text) AS
replace(replace(python_lower(replace(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(replace(each_replaced(each_replaced(
each_replaced(
    text,
    'n''t([^a-z])', ' not@1'),
    '([iI]t|[tT]hat|[wW]hat|[tT]here)''s([^a-z])', '@1 is@2'),
    '''(?:s|re|m|d|ll|ve)([^a-z])', ' @1'),
    '''', ' '),
    '([A-Za-z0-9])([^ -~])', '@1 @2'),
    '([^ -~])([A-Za-z0-9])', '@1 @2'),
    '([0-9])([A-Za-z%])', '@1 @2'),
    '([:.,])([^0-9])', ' @1 @2'),
    '([^0-9 ])([:.,])', '@1 @2 '),
    '([.,:])( |$)', ' @1 '),
    '([;!?()|/→←✓✗%&+-])', ' @1 '),
    '((?:[оО]твет|[вВ]ариант) *:? +)А( |$)', '@1A@2'),
    '((?:[оО]твет|[вВ]ариант) *:? +)В( |$)', '@1B@2'),
    '((?:[оО]твет|[вВ]ариант) *:? +)С( |$)', '@1C@2'),
    -- boxes to tick
    '[(] *[xXv] *[)]', ' ✓ '),
    '[(] +[)]', ' ✗ '),
    '√( |¶|$)', '✓@1'),
    ' +', '  '),
    '^ *(.*[^ ]|) *$', ' @1 '),
    ' ([A-Z]) ', ' ⌖@1 '),
    -- Room B, Exhibit C: a name
    ' (Options?|Choices?|Answers?|Letters?|Is|Are|So|Hence|Thus|Therefore|Not|Only|If|Both|Either|Neither|Or|And|But|With|For|As|Then|Pick|Choose|Select|Response|Selection|Selected|Final|Correct|Strike|Eliminate|Discard|Reject|Since|While|When|Because|That|This|Why|Maybe|Perhaps|Probably|Definitely|Possibly|Choosing|Going|From|Between|Among|To|Conclusion|Verdict|Result|Antwort|Opcion|La|El|Le|Die|Der|Das|Il|Reponse|Respuesta|Risposta|Resposta|Somit|Also|Donc|Loesung|Losung|Solution|Prediction|Output|Assistant|ASSISTANT|ANSWER|Rackets|Ni|Kein|Nicht|Descarto|Elijo|Somente|Apenas|Quindi|Logo|Either|Nur|Label)  ⌖([A-Z]) ',
    ' @1  ⌖⌖@2 '),
    ' ([a-z]+|In|At|On|From|The)  ([A-Z][a-z]+)  ⌖([A-Z]) ', ' @1  @2  ⍟@3 '),
    '⌖⌖', '⌖')
    ),
    ' ca  not ', ' can  not '),
    ' cannot ', ' can  not ')
