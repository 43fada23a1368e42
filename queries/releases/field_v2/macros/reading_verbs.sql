-- What reading_labels left, with yes, no and none where a sentence says no more, and without double
-- negations: no doubt, nothing but.
CREATE MACRO reading_verbs(tokens) AS
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(
    tokens,
    -- yes and no by the verb alone
    '^ (?:(?:it|she|he|they|there|that|this|these|those|certainly|indeed|definitely|of|course)  )+(?:is|does|are|do|has|have|can|did|was|were)(?:  [.!])? $',
    ' yes '),
    '^ (?:(?:no|,|it|she|he|they|there|that|this|these|those|certainly|indeed|definitely)  )+(?:is|does|are|do|has|have|can|did|was|were)  not(?:  [.!])? $',
    ' no '),
    '^ not  (?:a  )?(?:single  )?one((?:  [.])?) $', ' none @1 '),
    '^ (?:(?:definitely|certainly|absolutely|clearly|of  course)  )+not((?:  [.!])?) $', ' no @1 '),
    -- double negations
    ' (?:,  )?(?:no|without|without  a)  (?:any  )?doubt(?:  that)? ', ' '),
    ' (?:nothing|none  other|not  (?:be  )?anything)  (?:but|than) ', ' only '),
    ' not  (?:sure|certain|clear)  (?:that|if|whether) ', ' maybe '),
    ' (?:nope|nah) ', ' no '),
    ' (?:yep|yeah|yup) ', ' yes ')
