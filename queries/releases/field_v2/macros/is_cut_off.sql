-- Whether a text breaks off: after a word that wants another, or, if it is long or has sentences
-- before, without any mark.
CREATE MACRO is_cut_off(said) AS
first_group(
    said,
    '([,:(]|(?:^|[ ])(?:[Tt]he|an?|of|to|and|or|is|are|has|have|with|in|on|for|at|by|that|which|as|its|this|these|from|was|were|be|not|but|does|do|can|will|would|could|should|than|their|his|her|my|your|our|it)|[的和是了]) *$'
) <> ''
OR (length(said) > 300 AND first_group(said, '([A-Za-z0-9,]) *$') <> '')
OR first_group(said, '。[^。！？.!?]{4,}([一-鿿]) *$') <> ''
OR first_group(said, '[.!?:][ ¶]+[^.!?:¶ ][^.!?:¶]{11,}([A-Za-z0-9]) *$') <> ''
