-- A text as it is compared with another file's: spreadsheets turn 4 into 4.0, None into nothing,
-- carriage returns into _x000D_, and change white space and the case of true and false.
CREATE OR REPLACE TEMP MACRO plain_text(raw) AS nullif(
    regexp_replace(
        lower(trim(regexp_replace(replace(coalesce(raw, ''), '_x000D_', ' '), '\s+', ' ', 'g'))),
        '^(-?[0-9]+)\.0+$|^(none|nan|n/a|null)$', '\1'
    ),
    ''
);
