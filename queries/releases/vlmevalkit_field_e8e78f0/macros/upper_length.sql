-- How many characters a text has in upper case, by which the peer divides: ß becomes two.
CREATE MACRO upper_length(answer) AS
length(answer) + length(answer) - length(translate(
        answer,
        'ßŉǰևẖẗẘẙẚὐᾀᾁᾂᾃᾄᾅᾆᾇᾈᾉᾊᾋᾌᾍᾎᾏᾐᾑᾒᾓᾔᾕᾖᾗᾘᾙᾚᾛᾜᾝᾞᾟᾠᾡᾢᾣᾤᾥᾦᾧᾨᾩᾪᾫᾬᾭᾮᾯᾲᾳᾴᾶᾼῂῃῄῆῌῖῤ'
        || 'ῦῲῳῴῶῼﬀﬁﬂﬅﬆﬓﬔﬕﬖﬗ',
        ''
    )) + 2 * (length(answer) - length(translate(
        answer,
        'ΐΰὒὔὖᾷῇῒΐῗῢΰῧῷﬃﬄ',
        ''
    )))
