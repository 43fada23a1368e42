-- What reading_tokens left, with ⌖ before labels alone: not before the article A and the pronoun I,
-- which a word follows, but before a small letter that stands alone, in brackets or after a word
-- that wants a label; ⌘ before one that is called a label, whatever the choices are called.
CREATE MACRO reading_labels(tokens) AS
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(replace(each_replaced(replace(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(
    tokens,
    -- a label: what follows it follows no article
    ' ⌖([ai])  ((?:instead|stimmt|passt|trifft|ist|est|y|e|o|u|und|oder|et|ou|и|или|through|is|was|and|or|nor|because|since|for|as|to|at|on|in|from|but|though|although|rather|being|it|if|that|than|too|either|with|by|⌖[a-z]|[^a-z0-9 ][^ ]*|[0-9][^ ]*) )',
    ' ⌖⌖@1  @2'),
    ' ⌖a  ((?:has|had|have|would|could|can|cannot|might|may|does|do|did|should|will|also|only|then|when|stays|remains|seems|looks|matches|fits|alone) )',
    ' ⌖⌖a  @1'),
    ' ((?:options?|choices?|answer|letter)(?:  (?:is|:))?)  ⌖([ai]) ', ' @1  ⌖⌖@2 '),
    ' ⌖([ai]) $', ' ⌖⌖@1 '),
    ' ⌖([ai]) ', ' @1 '),
    '⌖⌖', '⌖'),
    '^ (⌖?q  :.*)¶  ⌖a  : ', ' @1 ¶  answer  is '),
    ' theanswer ', ' answer '),
    ' answer  is([a-h]) ', ' answer  is  @1 '),
    -- a small label: alone, in brackets, after a word that wants one
    '^ ([a-z]) ((?: [.):!])* ?)$', ' ⌖@1 @2'),
    '^ ([a-h])  (¶|[.]  ¶)', ' ⌖@1  @2'),
    '¶  ([a-h])((?:  [.])?) $', '¶  ⌖@1@2 '),
    ' [(]  ([a-z])  [)] ', ' (  ⌖@1  ) '),
    ' ((?:option|choice|letter|answer)(?:  (?:is|:|=))?)  ([b-hj-z]) ', ' @1  ⌖@2 '),
    ' ((?:option|choice|letter|answer)  (?:is|:|=))  a  ((?:[,;).]|because|since|as) |$)', ' @1  ⌖a  @2'),
    ' :  ([a-h])  ([).])', ' :  ⌖@1  @2'),
    ' ([▣▤])  ([a-j]) ', ' @1  ⌖@2 '),
    -- a unit
    '([0-9])  ⌖([a-z]) ', '@1  @2 '),
    -- a label that is called one, whatever the choices are called
    ' (options?|choices?|opcion|opcao|antwort|reponse|respuesta|answer(?:  (?:is|:|=))?)(  [(])?  ⌖([a-z]) ',
    ' @1@2  ⌘@3 ')
