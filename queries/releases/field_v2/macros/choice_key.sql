-- A choice's text as reading_places leaves it, without an article at its beginning and marks at
-- its end.
CREATE MACRO choice_key(tokens) AS
each_replaced(
    each_replaced(
        replace(tokens, '⍟', '⌖'),
        '^ (?:der|die|das|den|ein|eine|einen|le|la|les|l|un|une|des|du|el|los|las|una|unos|il|lo|gli|uno|um|uma|o|os|as)  ',
        ' '
    ),
    '[ .]+$', ' '
)
