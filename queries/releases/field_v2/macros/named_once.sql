-- The signs with one for a choice that is named twice in a row, by its letter, its text, or both;
-- the first five choices.
CREATE MACRO named_once(signs) AS
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(each_replaced(
    signs,
    'ⓐ[,:|·∧;]{0,3}Ⓐ', 'Ⓐ'),
    'ⓐ([,.:|⊢◈＝▣▤·⇐∧;]{0,4})Ⓐ', '@1Ⓐ'),
    'Ⓐ[,.:¶|⊢◈·]{0,2}ⓐ', 'Ⓐ'),
    'Ⓐ(?:[,.:¶▣]?Ⓐ)+', 'Ⓐ'),
    'ⓐ(?:[,.:¶▣]?ⓐ)+', 'ⓐ'),
    'ⓑ[,:|·∧;]{0,3}Ⓑ', 'Ⓑ'),
    'ⓑ([,.:|⊢◈＝▣▤·⇐∧;]{0,4})Ⓑ', '@1Ⓑ'),
    'Ⓑ[,.:¶|⊢◈·]{0,2}ⓑ', 'Ⓑ'),
    'Ⓑ(?:[,.:¶▣]?Ⓑ)+', 'Ⓑ'),
    'ⓑ(?:[,.:¶▣]?ⓑ)+', 'ⓑ'),
    'ⓒ[,:|·∧;]{0,3}Ⓒ', 'Ⓒ'),
    'ⓒ([,.:|⊢◈＝▣▤·⇐∧;]{0,4})Ⓒ', '@1Ⓒ'),
    'Ⓒ[,.:¶|⊢◈·]{0,2}ⓒ', 'Ⓒ'),
    'Ⓒ(?:[,.:¶▣]?Ⓒ)+', 'Ⓒ'),
    'ⓒ(?:[,.:¶▣]?ⓒ)+', 'ⓒ'),
    'ⓓ[,:|·∧;]{0,3}Ⓓ', 'Ⓓ'),
    'ⓓ([,.:|⊢◈＝▣▤·⇐∧;]{0,4})Ⓓ', '@1Ⓓ'),
    'Ⓓ[,.:¶|⊢◈·]{0,2}ⓓ', 'Ⓓ'),
    'Ⓓ(?:[,.:¶▣]?Ⓓ)+', 'Ⓓ'),
    'ⓓ(?:[,.:¶▣]?ⓓ)+', 'ⓓ'),
    'ⓔ[,:|·∧;]{0,3}Ⓔ', 'Ⓔ'),
    'ⓔ([,.:|⊢◈＝▣▤·⇐∧;]{0,4})Ⓔ', '@1Ⓔ'),
    'Ⓔ[,.:¶|⊢◈·]{0,2}ⓔ', 'Ⓔ'),
    'Ⓔ(?:[,.:¶▣]?Ⓔ)+', 'Ⓔ'),
    'ⓔ(?:[,.:¶▣]?ⓔ)+', 'ⓔ')
