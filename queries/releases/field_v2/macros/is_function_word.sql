-- Whether a choice's text is a word of many sentences, such as yes, no and none (see choice_form).
CREATE MACRO is_function_word(key) AS
key IN (
    ' yes ', ' no ', ' none ', ' nothing ', ' both ', ' neither ', ' all ', ' true ', ' false ', ' correct ',
    ' right ', ' wrong ', ' incorrect ', ' si ', ' sim ', ' oui ', ' non ', ' nao ', ' ja ', ' nein ', ' да ',
    ' нет ', ' لا ', ' نعم ', ' हाँ ', ' नहीं ', ' 是 ', ' 否 ', ' 有 ', ' 没有 ', ' 沒有 ', ' 对 ', ' 不是 ', ' はい ',
    ' いいえ ', ' 예 ', ' 네 ', ' 아니요 ', ' ใช่ ', ' ไม่ใช่ '
)
