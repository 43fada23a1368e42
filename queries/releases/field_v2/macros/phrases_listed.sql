-- What people say of a choice, by language: the rows of a kind, each with kind, language, phrase
-- (a pattern), and an example of our own. They are one text, which is quick to plan. The kinds
-- are the signs of the macro reading_stands: ＝ states what follows, ≐ does so if it follows
-- at once, ⇐ states what stands before, ⇠ says so; ⊢ concludes, ¬ negates what follows, ⊘ what
-- stands before, ⊗ either, ⊝ weighs what would be, ≈ what may be, ⁇ what is if; ∧ and, ∨ or, ↺
-- corrects, ⊥ refuses, ⌂ leaves one.
CREATE MACRO phrases_listed(kind) AS
first_group(
    '
§⊥¦en¦can not (?:be )?(?:see|seen|view|tell|say|determined?|access|answer|help|judge)¦I cannot tell whether it is A or B from here.
§⊥¦en¦(?:unable|not able) to¦I am not able to name the bird, a crow or a raven.
§⊥¦en¦without (?:picture|image|photo)¦None of it can be known without the image.
§⊥¦en¦upload¦Please upload it and I will say A or B.
§⊥¦en¦(?:no (?:image|picture|photo|attachment)|nothing attached)¦No photo came with this; a crow, perhaps.
§⊥¦en¦not enough information|no way (?:of [a-z]+ing|to (?:know|tell|say))¦There is not enough information to call it a crow.
§⊥¦en¦(?:do not know|rather not|hard to say|say whether)¦I do not know what a raven is.
§⊥¦en¦(?:as ai|text only model|too blurry)¦It is too blurry for a raven.
§⊥¦de¦(?:leider (?:kann|ist|habe|sehe)|kann (?:ich )?nicht)¦Leider sehe ich keinen Raben im Bild.
§⊥¦fr¦peux pas¦Je ne peux pas voir le corbeau.
§⊥¦es¦no puedo¦No puedo ver el cuervo.
§⊥¦pt¦nao consigo¦Não consigo abrir a foto do corvo.
§⊥¦it¦non riesco¦Non riesco a vedere il corvo.
§⊥¦ru¦не (?:могу|вижу)¦Я не вижу ворона.
§⊥¦ar¦لا (?:يمكنني|أستطيع)¦لا أستطيع رؤية الغراب في الصورة.
§⊥¦hi¦नहीं देख¦मैं कौआ नहीं देख सकता।
§⊥¦zh¦抱歉|无法|没法|無法|难以(?:确定|判断)|不能判断¦我无法看到图中的乌鸦。
§⊥¦ja¦できません|わかりません¦カラスかどうかわかりません。
§⊥¦ko¦(?:할|알|볼|답할) +수 +없¦까마귀인지 알 수 없습니다.
§⊥¦th¦ไม่สามารถ|ขอโทษ¦ไม่สามารถมองเห็นอีกาได้
§≈be¦en¦(?:it )?(?:might|may|could)(?: as well| also| just)* be¦It could just be A.
§⊗¦en¦(?:is|are|was|does|do|did|can|could|will|would) not¦B does not fly.
§⊗¦es¦no es¦No es el cuervo.
§⊗¦fr¦n est pas¦Ce n''est pas un corbeau.
§⊗¦de¦ist nicht¦Es ist nicht der Rabe.
§⊗¦ru¦отпада(?:е|ё|ю)т¦B отпадает.
§⊘¦en¦(?:is|are|be|looks?|seems?)(?: (?:clearly|definitely|also|all|both|therefore|obviously|too))* (?:wrong|out|gone|incorrect|impossible|excluded|ruled out|dismissed|eliminated|false)¦A is clearly out.
§⊘¦en¦wrong|incorrect|impossible|excluded|dismissed|ruled out|eliminated|drops? out|(?:can )?be (?:struck|crossed) (?:off|out)¦Raven: ruled out.
§⊘¦de¦scheide[nt] aus¦B scheidet aus.
§⊘¦de¦(?:pass(?:en|t)|kommt) (?:[a-z]+ )?nicht¦A passt nicht.
§⊘¦fr¦(?:est|sont) exclue?s?¦A est exclu.
§⊘¦it¦da escludere|escluso¦B è da escludere.
§⊘¦ru¦не подход[а-я]*¦B не подходит.
§⊘¦zh¦错误|錯|(?:也|都)?不(?:对|正确|正確|可能|符合|符)¦B不符合。
§⊘¦zh¦(?:都)?(?:可以|被)排除¦A可以排除。
§⊘¦ja¦違います|除外¦Bは違います。
§⊘¦ja¦ではない|ではありません|当てはまりません¦Aではありません。
§⊘¦ko¦아니라|아니고|아닙니다|제외¦A는 아닙니다.
§⊘¦ko¦맞지 +않¦B는 맞지 않습니다.
§⊝¦en¦(?:would|could)(?: have)?¦A would have a longer beak.
§¬¦en¦(?:rather than|instead of|confused with|unlike|than)¦Smaller than B.
§¬¦en¦exclud(?:e|es|ing)|rul(?:e|es|ing) out|eliminat(?:e|es|ing)¦This rules out A.
§¬¦en¦cross(?:es)? (?:off|out)|compared (?:with|to)|discard|strike|reject(?:ed)?¦I discard B.
§¬¦en¦(?:why )?not|never¦Why not A?
§¬¦en¦not (?:choose|pick|select)¦Better not pick B.
§¬¦en¦no|neither|nor|nothing¦Neither A nor B.
§¬¦en¦chance (?:for|of)¦A slim chance of A.
§¬¦en¦anything but|doubt(?: that)?¦I doubt that A.
§¬¦de¦nicht|keine?n?|weder|noch¦Weder A noch B.
§¬¦fr¦ne|ni|pas¦Ni A ni B.
§¬¦es¦ni|descarto|descartamos|no creo que sea(?: una?)?¦Descarto A.
§¬¦pt¦nao¦Não A.
§¬¦it¦non|nemmeno|scarto¦Scarto B.
§¬¦ru¦(?:это )?не¦Это не A.
§¬¦ar¦ليس|ليست|ولا¦ليس A.
§¬¦hi¦नहीं|न(?: तो)?¦न A.
§¬¦zh¦(?:而|并)?不(?:是|选|像)|并非|排除¦不选A。
§¬¦zh¦没有|沒有|未见|未发现|没看到¦没有A。
§¬¦th¦ไม่(?:ใช่|ได้)¦ไม่ใช่ A
§⁇¦en¦if|(?:suppose|assum(?:e|ing)|whether)(?: that)? answer|(?:might|may|could) (?:think|seem)|initial(?:ly)?|naive|wrong to say|be said¦If it sings, A.
§≈¦en¦maybe|perhaps|possibly|possible¦Perhaps A.
§≈¦en¦either|both|between¦Both A and B.
§≈¦en¦go for|might say|who (?:say|pick|choose)s?|argued|such as|for example¦Some might say A.
§≈¦de¦vielleicht|entweder¦Vielleicht A.
§≈¦fr¦peut etre¦Peut-être A.
§≈¦ru¦либо¦Либо A, либо B.
§≈¦zh¦也?可能是?|又像¦可能是A。
§≈¦ja¦かもしれ|どちらか|のいずれか¦Aかもしれません。
§≈¦ko¦일 +수도|아마도?¦아마 A.
§≈¦ar¦و?قد (?:يكون|تكون)¦قد يكون A.
§∨¦en¦or|otherwise|(?:just )?as well as¦A or B.
§∨¦de¦oder|ou¦A oder B.
§∨¦ru¦или¦A или B.
§∨¦ar¦أو¦A أو B.
§∨¦hi¦या¦A या B।
§∨¦zh¦或者?¦A或者B。
§∨¦ja¦または¦AまたはB。
§∨¦th¦หรือ¦A หรือ B
§∧¦en¦and|&¦A and B.
§∧¦fr¦et¦A et B.
§∧¦de¦und¦A und B.
§∧¦zh¦和|以及¦A和B。
§∧¦ja¦と¦AとB。
§＝¦en¦(?:answer|choice|option|selection|conclusion|guess|letter|prediction|pick|response|decision|solution|verdict|selected|final_answer|assistant|output|result|label)(?: (?:is|:|=|was|should be|⊝ be|must be|will be|has to be|changes to|therefore|→))+¦My guess was A.
§＝¦en¦(?:answer|choice|response) [a-z]+ :¦Answer letter: B
§＝¦en¦i (?:(?:⊝|will|therefore|shall|must|can|then|am|have to|also|now|still|going to|[a-z]+ly) )*(?:choose|pick|select|say|answer|go with|≈|going with|take|opt for|settle on|settle for|keep|leaning towards?|lean towards?|leaning to|conclude|believe it is|think it is)¦I now opt for A.
§＝¦en¦(?:chang(?:e|ing)(?: (?:that|it))? to|answer(?:ing)? with(?: letter)?|make (?:that|it)|settle on|pick|choose|select|go with|going with|comes down to|leaning towards)¦Going with A.
§＝¦en¦(?:correct|right|best) 1 is|most likely|probably|most probable is|in list as|listed under|sure it is|covers them is¦Probably A.
§＝¦en¦elimination ,¦By elimination, B.
§＝¦es¦(?:respuesta|opcion)(?: [a-z]+)?(?: (?:es|:|la))+¦La respuesta es A.
§＝¦es¦me quedo con|elijo|escojo¦Elijo A.
§＝¦fr¦reponse(?: [a-z]+)?(?: (?:est|:))+¦La réponse est A.
§＝¦fr¦je (?:choisis|dirais)¦Je choisis B.
§＝¦de¦antwort(?: [a-z]+)?(?: (?:ist|lautet|:))+¦Die Antwort lautet A.
§＝¦de¦ich (?:wahle|nehme|entscheide mich fur)¦Ich nehme B.
§＝¦pt¦resposta(?: [a-z]+)?(?: (?:e|:))+|eu (?:escolho|diria)¦A resposta é: B
§＝¦it¦risposta(?: [a-z]+)?(?: (?:e|:))+¦La risposta è: B
§＝¦ru¦ответ(?: [а-я]+)?(?: :)?|верен(?: вариант)?|подходит¦Верный ответ: A.
§＝¦ar¦و?الإجابة(?: الصحيحة)?(?: هي)?|و?الجواب(?: هو)?¦الجواب هو A
§＝¦hi¦उत्तर(?: :)?¦उत्तर: A
§＝¦zh¦答 *:|答案(?: *(?:应该|應該)?(?:是|为|為|:|选|选))?¦最终答案为A
§＝¦zh¦正确的? *option *(?:是|为|:)?|option *(?:是|为|は|:)¦选项是A
§＝¦zh¦(?:应|故)?(?:选择|选|選)¦因此选择A
§＝¦ja¦(?:答え|正解) *(?:は|:)¦正解はA
§＝¦ko¦(?:정답|답)(?:은|:)?¦정답: A
§＝¦th¦คำตอบ(?:ที่ถูกต้อง)?(?:คือ)?|ข้อที่ถูกต้องคือ(?:ข้อ)?|ตอบ¦ตอบ A
§＝likely¦zh¦很可能是?|应该是|應該是¦很可能是A
§≐¦en¦answer¦Answer B
§≐¦de¦antwort¦Antwort A
§≐¦fr¦reponse¦Réponse B
§≐¦es¦respuesta¦Respuesta B
§⇐¦en¦(?:is|are|being)(?: (?:clearly|definitely|my|then|therefore))* (?:correct|right|(?:only|right|correct) 1|best|true)¦B is clearly right.
§⇐¦en¦my (?:answer|choice|pick)|correct|right|accepted|chosen|selected|seems right¦So A is the accepted answer.
§⇐¦en¦comes closest|(?:is|seems|looks)(?: like)? (?:best|closest) (?:match|fit)|fits(?: best)?|matches|wins¦B comes closest.
§⇐¦en¦remains?|is left|must hold|is circled¦Only A remains.
§⇐¦de¦ist richtig|richtig|stimmt¦B stimmt.
§⇐¦es¦es la correcta|correcta¦La B es la correcta.
§⇐¦fr¦est la bonne¦La B est la bonne.
§⇐¦ru¦верно|верен|правильный¦B верно.
§⇐¦ar¦هو الصحيحة?|هي الصحيحة¦الخيار B هو الصحيح
§⇐¦hi¦सही है¦B सही है।
§⇐¦zh¦项?正确|符合¦B项正确。
§⇐¦ja¦が(?:正しい|正解)¦Aが正解
§⇐¦ko¦[가이] 맞습니다|맞습니다¦A가 맞습니다.
§⇠¦ja¦です¦Aです。
§⇠¦ko¦입니다|이다¦B입니다.
§⇠¦hi¦है¦यह A है।
§⊢¦en¦so|therefore|thus|hence|→¦Hence A.
§⊢¦en¦must be|ha(?:s|ve) to be|conclusion|finally|final|conclude¦In conclusion, B.
§⊢¦en¦left with|leaves(?: just)?|only|just|actually|instead|then¦That leaves B.
§⊢¦en¦which means|leads (?:me|us) to|corresponds to|this reads as|this is|that is|points? to|should be¦This corresponds to B.
§⊢¦de¦somit|damit|daher|deshalb|also|sondern|bleibt(?: nur)?¦Somit A.
§⊢¦fr¦donc|ne reste que¦Donc A.
§⊢¦es¦asi que|por lo tanto|queda¦Así que A.
§⊢¦it¦quindi¦Quindi A.
§⊢¦ru¦поэтому|значит|оста[её]тся¦Значит, A.
§⊢¦ar¦بل¦بل A.
§⊢¦zh¦因此|所以|故¦所以A
§⊢¦ja¦よって|したがって¦よってA
§⊢¦ko¦따라서¦따라서 A
§⊢¦th¦ดังนั้น|แต่เป็น¦ดังนั้น A
§⌂¦en¦(?:leaves|only) (?:just |only |us with )?1 (?:possibility|option|choice|candidate)¦Not A, not B. That leaves one option.
§⌂¦en¦(?:remaining (?:option|choice)|1 (?:option|possibility|choice) (?:remains|survives|is left)|1 left over|what is left|1 is left)¦Neither A nor B, so the remaining choice.
§⌂¦de¦eine moglichkeit ubrig¦Weder A noch B. Damit bleibt nur eine Möglichkeit übrig.
§⌂¦fr¦qu une possibilite¦Ni A ni B : il ne reste qu''une possibilité.
§⌂¦ru¦один вариант¦Это не A и не B. Остаётся один вариант.
§⌂¦ko¦하나뿐¦A도 B도 아닙니다. 남는 것은 하나뿐입니다.
§↺¦zh¦等一下|等等|不对 ,¦答案是A。等等，是B。
§↺¦en¦wait|hmm|hold on|oh|oops|sorry|scratch that|correction¦The answer is A. Hold on: it is B.
§↺¦en¦i mean|on (?:reflection|№2 thought)|have to revise(?: that)?|let me recount|i made mistake¦A. On reflection, it is B.
',
    '((?:§' || kind || '¦[^§]*)+)'
)
