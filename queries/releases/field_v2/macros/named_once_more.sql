-- The same as named_once, of the sixth to the tenth choice.
CREATE MACRO named_once_more(signs) AS
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(each_replaced(
    signs,
    'ⓕ[,:|·∧;]{0,3}Ⓕ', 'Ⓕ'),
    'ⓕ([,.:|⊢◈＝▣▤·⇐∧;]{0,4})Ⓕ', '@1Ⓕ'),
    'Ⓕ[,.:¶|⊢◈·]{0,2}ⓕ', 'Ⓕ'),
    'Ⓕ(?:[,.:¶▣]?Ⓕ)+', 'Ⓕ'),
    'ⓕ(?:[,.:¶▣]?ⓕ)+', 'ⓕ'),
    'ⓖ[,:|·∧;]{0,3}Ⓖ', 'Ⓖ'),
    'ⓖ([,.:|⊢◈＝▣▤·⇐∧;]{0,4})Ⓖ', '@1Ⓖ'),
    'Ⓖ[,.:¶|⊢◈·]{0,2}ⓖ', 'Ⓖ'),
    'Ⓖ(?:[,.:¶▣]?Ⓖ)+', 'Ⓖ'),
    'ⓖ(?:[,.:¶▣]?ⓖ)+', 'ⓖ'),
    'ⓗ[,:|·∧;]{0,3}Ⓗ', 'Ⓗ'),
    'ⓗ([,.:|⊢◈＝▣▤·⇐∧;]{0,4})Ⓗ', '@1Ⓗ'),
    'Ⓗ[,.:¶|⊢◈·]{0,2}ⓗ', 'Ⓗ'),
    'Ⓗ(?:[,.:¶▣]?Ⓗ)+', 'Ⓗ'),
    'ⓗ(?:[,.:¶▣]?ⓗ)+', 'ⓗ'),
    'ⓘ[,:|·∧;]{0,3}Ⓘ', 'Ⓘ'),
    'ⓘ([,.:|⊢◈＝▣▤·⇐∧;]{0,4})Ⓘ', '@1Ⓘ'),
    'Ⓘ[,.:¶|⊢◈·]{0,2}ⓘ', 'Ⓘ'),
    'Ⓘ(?:[,.:¶▣]?Ⓘ)+', 'Ⓘ'),
    'ⓘ(?:[,.:¶▣]?ⓘ)+', 'ⓘ'),
    'ⓙ[,:|·∧;]{0,3}Ⓙ', 'Ⓙ'),
    'ⓙ([,.:|⊢◈＝▣▤·⇐∧;]{0,4})Ⓙ', '@1Ⓙ'),
    'Ⓙ[,.:¶|⊢◈·]{0,2}ⓙ', 'Ⓙ'),
    'Ⓙ(?:[,.:¶▣]?Ⓙ)+', 'Ⓙ'),
    'ⓙ(?:[,.:¶▣]?ⓙ)+', 'ⓙ')
