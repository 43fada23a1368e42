-- Which pattern of a refusal the opening of an answer fits (see the macro opening); NULL: none, so
-- it is
-- an answer, right or wrong. Refusals are what a model says of itself, where a part of a sentence
-- begins: that it cannot or may not help, answer, identify people, see the image. Not knowing is
-- none
-- (`I can't see any cat`), and `can't help but` is none.
CREATE MACRO refusal_pattern(opening_text) AS
CASE
    WHEN regexp_matches(
        opening_text,
        '([|.!?,;:]|-|–|—|but|so|and|sorry|unfortunately|however) i (can''t|won''t) (help|assist)( you)?([.!?,;]| [|]| yet| here| with | in | by | identify )'
    ) THEN 'cannot help'
    WHEN regexp_matches(
        opening_text,
        '([|.!?,;:]|-|–|—|but|so|and|sorry|unfortunately|however) i (can''t|won''t) (answer (that|this|the question|your)|respond to (that|this|the|your)|(process|complete|fulfil|fulfill) (that|this|the|your) (file|request)|comply |comply[.,]|discuss |engage |continue )'
    ) THEN 'cannot answer'
    WHEN regexp_matches(
        opening_text,
        '([|.!?,;:]|-|–|—|but|so|and|sorry|unfortunately|however) i (can''t|won''t) (provide|offer|give|share) (you )?(with )?(any |an |a )?(help|assistance|medical|legal|personal|response|information (on|about) (the |this |real |specific )*(people|person|individual))'
    ) THEN 'cannot provide'
    WHEN regexp_matches(
        opening_text,
        '([|.!?,;:]|-|–|—|but|so|and|sorry|unfortunately|however) i (can''t|won''t) (identify|recogni[sz]e|name|reveal|describe|tell you) (who |anyone|someone|(the |this |that |these |those |any |real |specific |individual )*(person|people|individual|face|celebrit))'
    ) THEN 'cannot identify people'
    WHEN regexp_matches(
        opening_text,
        '([|.!?,;:]|-|–|—|but|so|and|sorry|unfortunately|however) i (can''t|won''t) (see|view|open|access|process|load|analy[sz]e|interpret) (the |this |that |your |any |attached |provided |uploaded )*(images?|pictures?|photos?|files?)( directly)?([.!?,;]| [|]| yet| at | or | as | you )'
    ) THEN 'cannot see the image'
    WHEN regexp_matches(
        opening_text,
        '(as|i''m|just|only) an? (large |text-based |artificial |ai )*(ai|intelligence|language model|model|assistant)[ ,][^.!?|]*(i can''t|i won''t|i don''t have the|outside|beyond)'
    ) THEN 'only a language model'
    WHEN regexp_matches(
        opening_text,
        '(outside|beyond)( of| the scope of)? my (capabilit|abilit|programming)|(against|violates?) (my|our|openai''s) ([a-z]+ )?(guideline|polic|programming)'
    ) THEN 'outside what it may do'
END
