-- What a reply says to a question of yes or no (evalscope 1.14, pope and hallusion_bench): the one
-- of the words that is in it, as Yes, YES, No or NO; or all of it in lower case. NULL: both or
-- neither.
CREATE MACRO whole_verdict(text) AS
CASE
    WHEN stripped(text) IN ('yes', 'yes.', 'yes!') THEN 'yes'
    WHEN stripped(text) IN ('no', 'no.', 'no!') THEN 'no'
    WHEN has_verdict(text, 'Yes|YES') THEN CASE WHEN NOT has_verdict(text, 'No|NO') THEN 'yes' END
    WHEN has_verdict(text, 'No|NO') THEN 'no'
END
