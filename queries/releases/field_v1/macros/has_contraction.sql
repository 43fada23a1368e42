-- Whether one of the words between single spaces is in the table of the macro contraction. It is
-- read at once, as the table is long and the words are seldom in it.
CREATE MACRO has_contraction(answer) AS
regexp_matches(
    answer,
    ' (''ow''sat|''ows''at|aint|arent|cant|couldn''tve|couldnt|couldnt''ve|couldve|didnt|doesnt|dont|hadn''tve|hadnt|hadnt''ve|hasnt|havent|he''dve|hed|hed''ve|hes|howd|howll|hows|isnt|it''dve|itd|itd''ve|itll|maam|mightn''tve|mightnt|mightnt''ve|mightve|mustnt|mustve|neednt|notve|oclock|oughtnt|ow''s''at|shant|she''dve|shed''ve|shouldn''tve|shouldnt|shouldnt''ve|shouldve|somebody''d|somebody''dve|somebodyd''ve|somebodyll|somebodys|someone''dve|someoned|someoned''ve|someonell|someones|something''dve|somethingd|somethingd''ve|somethingll|thats|there''dve|thered|thered''ve|therere|theres|they''dve|theyd|theyd''ve|theyll|theyre|theyve|twas|wasnt|we''dve|wed''ve|werent|weve|whatll|whatre|whats|whatve|whens|whered|wheres|whereve|who''dve|whod|whod''ve|wholl|whos|whove|whyll|whyre|whys|wont|wouldn''tve|wouldnt|wouldnt''ve|wouldve|y''all''dve|y''alld''ve|y''allll|yall|yall''d''ve|yall''ll|you''dve|youd|youd''ve|youll|youre|youve) '
)
