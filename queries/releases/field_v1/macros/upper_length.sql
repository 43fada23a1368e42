-- How many characters a text has in upper case, by which a harness divides: ß becomes two.
-- @engines both
CREATE MACRO upper_length(answer) AS
CASE
WHEN NOT regexp_matches(answer, '[^\x00-\x7F]') THEN length(answer)
ELSE length(answer) + length(answer) - length(translate(
        answer,
        'ßŉǰևẖẗẘẙẚὐᾀᾁᾂᾃᾄᾅᾆᾇᾈᾉᾊᾋᾌᾍᾎᾏᾐᾑᾒᾓᾔᾕᾖᾗᾘᾙᾚᾛᾜᾝᾞᾟᾠᾡᾢᾣᾤᾥᾦᾧᾨᾩᾪᾫᾬᾭᾮᾯᾲᾳᾴᾶᾼῂῃῄῆῌῖῤ'
        || 'ῦῲῳῴῶῼﬀﬁﬂﬅﬆﬓﬔﬕﬖﬗ', ''
    )) + 2 * (length(answer) - length(translate(
        answer, 'ΐΰὒὔὖᾷῇῒΐῗῢΰῧῷﬃﬄ', ''
    )))
END
