export type SmallTalkKind = 'greeting' | 'thanks' | 'about' | 'farewell';

type Phrases = Readonly<Record<SmallTalkKind, string> & { also?: string }>;

/** Phrases of every language that only confirm that a message was read. */
export const ACKNOWLEDGEMENTS =
  'ok|okay|okey|oke|k|kk|lol|haha|hahaha|hihi|hehe|hm|hmm|wow|super|top|cool|bravo|perfect|ah|oh|aha|xd|test';

/**
 * What people say to a service without asking it anything, by language, separated by `|`. `also`: what
 * stands beside these. Where languages share a phrase, the first one counts.
 */
export const SMALL_TALK_PHRASES: Readonly<Record<string, Phrases>> = {
  en: {
    greeting: 'hi|hello|hey|heya|hiya|howdy|yo|good morning|good afternoon',
    thanks: 'thanks|thank you|thx|ty|cheers|thank u|tysm|much appreciated|that was helpful|good',
    about:
      'who are you|what are you|what is this|what can you do|what can you do for me|what do you do|what can i ask|what can you help me with',
    farewell: 'bye|goodbye|see you|see you later|see ya|cya|take care|good night',
    also: 'there|all|everyone|everybody|team|folks|guys|again|please|a lot|so much|very much|for your help|for the help|you|was',
  },
  de: {
    greeting: 'hallo|hallöchen|halli hallo|hi|hey|guten tag|guten morgen|guten abend|morgen',
    thanks:
      'danke|dankeschön|danke schön|danke sehr|vielen dank|besten dank|herzlichen dank|tausend dank',
    about:
      'wer bist du|wer sind sie|was bist du|was ist das hier|was kannst du|was kannst du alles|was können sie|was kann ich fragen|hilfe',
    farewell: 'tschüss|tschüß|tschüs|auf wiedersehen|auf wiederhören|wiedersehen|bis bald|bis dann',
    also: 'zusammen|alle|liebes team|team|nochmal|noch mal|bitte|und|dann|auch|für die hilfe|für deine hilfe|für ihre hilfe|für die info|du',
  },
  fr: {
    greeting: 'bonjour|bonsoir|salut|coucou|allo|hello|rebonjour|ça va|comment ça va',
    thanks:
      'merci|merci bien|mille mercis|grand merci|un grand merci|je vous remercie|je te remercie|ça m a aidé',
    about:
      'qui es tu|qui êtes vous|tu es qui|vous êtes qui|t es qui|qu est ce que c est|c est quoi|que peux tu faire|es tu un robot',
    farewell:
      'au revoir|à bientôt|à plus|à plus tard|à demain|à la prochaine|bonne journée|bonne soirée',
    also: 'à tous|tout le monde|beaucoup|pour votre aide|pour ton aide|pour tout|pour la réponse|pour votre réponse|pour l info|et|alors|encore|s il vous plaît|s il te plaît',
  },
  es: {
    greeting:
      'hola|buenas|muy buenas|buenos días|buen día|buenas tardes|buenas noches|qué tal|cómo estás',
    thanks:
      'gracias|muchas gracias|mil gracias|muchísimas gracias|te lo agradezco|se lo agradezco|muy amable|me ha ayudado',
    about:
      'quién eres|quién es usted|qué eres|qué es esto|qué puedes hacer|qué sabes hacer|qué puede hacer|qué haces',
    farewell:
      'adiós|hasta luego|hasta pronto|hasta mañana|hasta la vista|hasta la próxima|nos vemos|chao',
    also: 'a todos|todos|por la ayuda|por tu ayuda|por su ayuda|por todo|por la información|por responder|y|entonces|por favor|equipo|otra vez|de nuevo',
  },
  it: {
    greeting: 'ciao|salve|buongiorno|buon giorno|buonasera|buona sera|buon pomeriggio|ehi|pronto',
    thanks:
      'grazie|grazie mille|molte grazie|tante grazie|mille grazie|ti ringrazio|la ringrazio|vi ringrazio',
    about:
      'chi sei|chi è lei|cosa sei|che cosa sei|cos è questo|cosa puoi fare|che cosa puoi fare|cosa sai fare|come puoi aiutarmi|puoi aiutarmi',
    farewell:
      'arrivederci|arrivederla|a presto|a dopo|a domani|alla prossima|ci vediamo|buona giornata',
    also: 'a tutti|tutti|per l aiuto|per il tuo aiuto|per il suo aiuto|di tutto|per tutto|di cuore|della risposta|per la risposta|per le informazioni|e|allora|per favore',
  },
  pt: {
    greeting: 'olá|oi|bom dia|boa tarde|boa noite|e aí|tudo bem|tudo bom|como vai',
    thanks: 'obrigado|obrigada|obrigadão|brigado|brigada|valeu|agradeço|agradecido|bem',
    about: 'quem é você|quem és tu|quem és|quem é|o que é você|o que és|o que é isto|o que é isso',
    farewell: 'tchau|adeus|até logo|até mais|até breve|até amanhã|até à próxima|tenha um bom dia',
    also: 'a todos|pessoal|gente|pela ajuda|pela sua ajuda|por tudo|pela resposta|pela informação|e|então|por favor|de novo|outra vez|mesmo|muito|você',
  },
  nl: {
    greeting: 'hallo|hoi|hey|hé|goedemorgen|goedemiddag|goedenavond|goedendag|goeiemorgen',
    thanks: 'bedankt|dank je|dank je wel|dankjewel|dank u|dank u wel|dankuwel|hartelijk dank',
    about:
      'wie ben je|wie ben jij|wie bent u|wat ben je|wat ben jij|wat is dit|wat kun je|wat kan je|ben je een robot',
    farewell: 'doei|doeg|dag dag|tot ziens|tot later|tot straks|tot morgen|tot de volgende keer',
    also: 'allemaal|iedereen|team|voor je hulp|voor uw hulp|voor de hulp|voor alles|voor het antwoord|en|dan|alsjeblieft|alstublieft|nog|weer',
  },
  pl: {
    greeting: 'cześć|hej|hejka|witam|witaj|dzień dobry|dobry wieczór|dobry|siema',
    thanks:
      'dziękuję|dzięki|wielkie dzięki|dzięki wielkie|serdecznie dziękuję|dziękuję pięknie|pomogło|to pomogło',
    about:
      'kim jesteś|kto ty jesteś|kim pan jest|czym jesteś|co to jest|co potrafisz|co umiesz|co możesz zrobić|w czym możesz mi pomóc|możesz mi pomóc|pomoc',
    farewell: 'do widzenia|pa|papa|na razie|narazie|do zobaczenia|do jutra|do usłyszenia',
    also: 'wszystkim|za pomoc|za wszystko|za odpowiedź|za informację|bardzo|i|więc|proszę|jeszcze raz|ponownie|panu|pani|państwu',
  },
  cs: {
    greeting: 'ahoj|čau|čus|nazdar|dobrý den|dobré ráno|dobré odpoledne|dobrý večer|zdravím',
    thanks: 'děkuji|děkuju|díky|dík|děkuji mnohokrát|mnohokrát děkuji|velké díky|to pomohlo',
    about: 'kdo jsi|kdo jste|co jsi|co je to|co umíš|co umíte|co dokážeš|co můžeš dělat',
    farewell: 'na shledanou|nashledanou|sbohem|zatím|měj se|mějte se|hezký den|pěkný den',
    also: 'všem|všichni|za pomoc|za vaši pomoc|za tvou pomoc|za všechno|za odpověď|za informaci|a|tak|prosím|ještě jednou|znovu|moc',
  },
  sv: {
    greeting: 'hej|hejsan|hallå|tja|tjena|god morgon|god dag|god middag|god kväll',
    thanks: 'tack|tackar|tack ska du ha|stort tack|tusen tack|jättetack|många tack|det hjälpte',
    about:
      'vem är du|vad är du|vad är detta|vad är det här|vad kan du|vad kan du göra|vad gör du|vad kan jag fråga',
    farewell: 'hejdå|adjö|vi ses|vi hörs|ses|ha det bra|ha det|ha en bra dag',
    also: 'alla|på er|allihopa|för hjälpen|för allt|för din hjälp|för svaret|för informationen|så|mycket|och|då|snälla|igen',
  },
  da: {
    greeting: 'hej|hejsa|hallo|halløj|goddag|god dag|godmorgen|god morgen|god eftermiddag',
    thanks:
      'tak|mange tak|tusind tak|tak skal du have|tak for det|det hjalp|det hjælper|meget nyttigt',
    about:
      'hvem er du|hvad er du|hvad er det her|hvad er dette|hvad kan du|hvad kan du gøre|hvad laver du|hvad kan jeg spørge om|hvad kan du hjælpe med|kan du hjælpe',
    farewell: 'farvel|vi ses|ses|på gensyn|hav det godt|hav en god dag|fortsat god dag|godnat',
    also: 'alle|alle sammen|for hjælpen|for din hjælp|for det hele|for svaret|og|så|venligst|igen|med dig|der|da|i dag',
  },
  no: {
    greeting: 'hei|heisann|hallo|god dag|god morgen|god ettermiddag|god kveld|morn|hvordan går det',
    thanks:
      'takk|tusen takk|mange takk|takk skal du ha|takk for det|det hjalp|det hjelper|veldig nyttig',
    about:
      'hvem er du|hva er du|hva er dette|hva kan du|hva kan du gjøre|hva gjør du|hva kan jeg spørre om|hva kan jeg spørre deg om',
    farewell: 'ha det|ha det bra|ha det godt|hadet|farvel|adjø|vi ses|vi sees|ha en fin kveld',
    also: 'alle|alle sammen|for hjelpen|for din hjelp|for alt|for svaret|og|så|vær så snill|igjen|på deg|der|da|i dag',
  },
  fi: {
    greeting: 'hei|moi|moikka|terve|moro|heippa|hyvää päivää|päivää|hyvää huomenta',
    thanks:
      'kiitos|kiitti|kiitoksia|suuri kiitos|tuhannet kiitokset|suurkiitos|se auttoi|tästä oli apua',
    about:
      'kuka olet|kuka sinä olet|kuka sä oot|mikä olet|mikä sinä olet|mikä tämä on|mitä osaat|mitä sinä osaat',
    farewell:
      'näkemiin|heihei|moimoi|nähdään|kuulemiin|hyvää päivänjatkoa|hyvää illanjatkoa|hyvää viikonloppua',
    also: 'kaikille|kaikki|avusta|avustasi|kaikesta|vastauksesta|tiedosta|ja|sitten|ole hyvä|ole kiltti|taas|siellä|paljon',
  },
  tr: {
    greeting:
      'merhaba|merhabalar|selam|selamlar|günaydın|iyi günler|iyi akşamlar|tünaydın|selamün aleyküm',
    thanks: 'teşekkürler|teşekkür ederim|sağ ol|sağol|sağ olun|sağolun|eyvallah|minnettarım|iyi',
    about: 'sen kimsin|kimsin|siz kimsiniz|kimsiniz|nesin|sen nesin|bu nedir|bu ne',
    farewell:
      'güle güle|hoşça kal|hoşçakal|hoşça kalın|hoşçakalın|görüşürüz|görüşmek üzere|kendine iyi bak',
    also: 'herkese|millet|arkadaşlar|yardımın için|yardımınız için|yardımlarınız için|her şey için|cevap için|bilgi için|ve|o zaman|lütfen|tekrar|yine|çok',
  },
  ru: {
    greeting:
      'привет|приветик|здравствуйте|здравствуй|здрасте|добрый день|доброе утро|добрый вечер|доброго времени суток',
    thanks:
      'спасибо|огромное спасибо|спасибо огромное|благодарю|благодарю вас|спс|очень благодарен|очень благодарна',
    about: 'кто ты|ты кто|кто вы|вы кто|что ты такое|что это|что это такое|что ты умеешь|ты робот',
    farewell:
      'пока|до свидания|до встречи|до завтра|до скорого|увидимся|всего доброго|всего хорошего',
    also: 'всем|вам|тебе|за помощь|за вашу помощь|за ответ|за информацию|за всё|за все|и|тогда|пожалуйста|ещё раз|еще раз|большое',
  },
  uk: {
    greeting:
      'привіт|вітаю|здрастуйте|доброго дня|добрий день|доброго ранку|добрий ранок|доброго вечора|добрий вечір',
    thanks: 'дякую|дуже дякую|щиро дякую|красно дякую|велике спасибі|дякую щиро|спасибі|вдячний',
    about: 'хто ти|ти хто|хто ви|ви хто|що ти таке|що це|що це таке|що ти вмієш',
    farewell: 'бувай|бувайте|до побачення|до зустрічі|до завтра|побачимось|побачимося|на все добре',
    also: 'всім|вам|тобі|за допомогу|за вашу допомогу|за відповідь|за інформацію|за все|і|й|та|тоді|будь ласка|ще раз',
  },
  el: {
    greeting: 'γεια|γεια σου|καλημέρα|καλησπέρα|καλό απόγευμα|χαίρετε|χαίρομαι|τι κάνεις|τι κάνετε',
    thanks:
      'ευχαριστώ|ευχαριστώ πάρα πολύ|σε ευχαριστώ|σ ευχαριστώ|πολλές ευχαριστίες|να σαι καλά|να είστε καλά|βοήθησε',
    about:
      'ποιος είσαι|ποια είσαι|ποιος είστε|ποιοι είστε|τι είσαι|τι είναι αυτό|τι μπορείς να κάνεις|τι μπορείτε να κάνετε',
    farewell:
      'αντίο|τα λέμε|θα τα πούμε|εις το επανιδείν|καλή συνέχεια|καλή μέρα|καληνύχτα|καλό βράδυ',
    also: 'σε όλους|όλους|για τη βοήθεια|για την βοήθεια|για τη βοήθειά σας|για όλα|για την απάντηση|και|λοιπόν|παρακαλώ|πάλι|ξανά|πολύ|εσύ|σας',
  },
  ar: {
    greeting:
      'مرحبا|أهلا|أهلين|اهلا وسهلا|هلا|هاي|السلام عليكم|السلام عليكم ورحمة الله|السلام عليكم ورحمة الله وبركاته',
    thanks: 'شكرا|شكرا كثيرا|ألف شكر|مشكور|مشكورين|يسلمو|تسلم|جزاك الله خيرا',
    about: 'من أنت|من أنتم|مين انت|ما أنت|ما هذا|شو هذا|ماذا تفعل|ماذا تستطيع أن تفعل',
    farewell: 'مع السلامة|وداعا|إلى اللقاء|باي|في أمان الله|أراك لاحقا|أراك قريبا|نراكم لاحقا',
    also: 'بكم|بك|لك|لكم|جميعا|للجميع|على المساعدة|على مساعدتك|على الرد|على كل شيء|على الإجابة|و|ثم|من فضلك|جزيلا|أنت|انت',
  },
  he: {
    greeting: 'שלום|היי|הי|אהלן|הלו|בוקר טוב|צהריים טובים|אחר צהריים טובים|ערב טוב',
    thanks: 'תודה|תודה לכם|המון תודה|רב תודות|אני מודה לך|זה עזר|עזרת לי|זה עוזר|טוב',
    about: 'מי אתה|מי את|מי אתם|מה אתה|מה את|מה זה|מה אתה יודע לעשות|מה אתה יכול לעשות',
    farewell: 'להתראות|ביי|שלום ולהתראות|נתראה|לילה טוב|יום טוב|המשך יום טוב|יום נעים',
    also: 'לכולם|כולם|על העזרה|על הכל|על הכול|על התשובה|על המידע|ו|אז|בבקשה|שוב|עוד פעם|מאוד|לך|רבה',
  },
  fa: {
    greeting:
      'سلام|سلام علیکم|درود|درود بر شما|صبح بخیر|صبح به خیر|ظهر بخیر|عصر بخیر|شب خوش|وقت بخیر',
    thanks: 'ممنون|ممنونم|متشکرم|مرسی|سپاس|سپاسگزارم|تشکر|با تشکر',
    about: 'تو کی هستی|شما کی هستید|شما کی هستین|تو کیستی|شما کیستید|کی هستی|تو چی هستی|این چیست',
    farewell: 'خداحافظ|خدافظ|خدا نگهدار|خدانگهدار|بای|به امید دیدار|فعلا|تا بعد',
    also: 'به همه|همگی|دوستان|عزیز|از شما|از کمک شما|بابت کمک|برای کمک|از کمکت|از راهنمایی شما|از پاسخ شما|و|پس|لطفا|خیلی|شما',
  },
  hi: {
    greeting: 'नमस्ते|नमस्कार|हैलो|हाय|राम राम|प्रणाम|सुप्रभात|शुभ प्रभात|शुभ दोपहर',
    thanks: 'धन्यवाद|शुक्रिया|आपका धन्यवाद|आपका बहुत धन्यवाद|थैंक्स|थैंक यू|आभार|आभारी हूँ|हाँ',
    about: 'आप कौन हैं|तुम कौन हो|तू कौन है|आप क्या हैं|तुम क्या हो|यह क्या है|ये क्या है|आप क्या कर सकते हैं',
    farewell: 'अलविदा|बाय|टाटा|फिर मिलेंगे|फिर मिलते हैं|बाद में मिलते हैं|शुभ रात्रि|शुभ दिन',
    also: 'सबको|सभी को|जी|मदद के लिए|आपकी मदद के लिए|सहायता के लिए|जवाब के लिए|जानकारी के लिए|सब कुछ के लिए|और|तो|फिर|कृपया|फिर से|बहुत|आप',
  },
  th: {
    greeting: 'สวัสดี|หวัดดี|ดี|ฮัลโหล|ฮาย|สวัสดีตอนเช้า|อรุณสวัสดิ์|สวัสดีตอนบ่าย|สวัสดีตอนเย็น',
    thanks: 'ขอบคุณ|ขอบใจ|ขอบพระคุณ|ขอบคุณที่ช่วย|ขอบคุณสำหรับความช่วยเหลือ|ช่วยได้มาก|มีประโยชน์มาก|เยี่ยม',
    about: 'คุณคือใคร|คุณเป็นใคร|เธอคือใคร|เธอเป็นใคร|คุณคืออะไร|นี่คืออะไร|คุณทำอะไรได้|คุณทำอะไรได้บ้าง',
    farewell: 'ลาก่อน|บาย|แล้วเจอกัน|แล้วพบกันใหม่|เจอกันใหม่|ไว้เจอกัน|พบกันใหม่|ราตรีสวัสดิ์',
    also: 'ครับ|ค่ะ|คะ|นะ|นะคะ|นะครับ|จ้า|จ้ะ|จ๊ะ|ทุกคน|ทุกท่าน|มาก|มากๆ|ๆ',
  },
  vi: {
    greeting:
      'xin chào|chào|alo|chào buổi sáng|chào buổi chiều|chào buổi tối|bạn khỏe không|bạn có khỏe không|khỏe không',
    thanks:
      'cảm ơn|xin cảm ơn|chân thành cảm ơn|giúp ích nhiều|rất hữu ích|hữu ích lắm|tuyệt|tuyệt vời|ổn',
    about:
      'bạn là ai|anh là ai|chị là ai|mày là ai|bạn là gì|đây là gì|cái này là gì|bạn làm được gì',
    farewell:
      'tạm biệt|bái bai|bai|hẹn gặp lại|gặp lại sau|chúc ngủ ngon|chúc một ngày tốt lành|chúc bạn một ngày tốt lành',
    also: 'nhé|nha|ạ|à|nhiều|rất|lắm|mọi người|các bạn|bạn|anh|chị|em|ad',
  },
  id: {
    greeting: 'halo|hai|hei|hallo|helo|selamat pagi|selamat siang|selamat sore|selamat malam|pagi',
    thanks: 'terima kasih|terimakasih|makasih|makasi|trims|thanks ya|sangat membantu|itu membantu',
    about:
      'siapa kamu|siapa anda|kamu siapa|anda siapa|kamu apa|apa ini|ini apa|apa yang bisa kamu lakukan',
    farewell: 'sampai jumpa|sampai nanti|sampai besok|selamat tinggal|dadah|dah|bye|selamat tidur',
    also: 'semua|semuanya|ya|banyak|sekali|atas bantuannya|atas bantuanmu|atas bantuan anda|untuk semuanya|atas jawabannya|atas informasinya|dan|lagi|kalau begitu|kamu',
  },
  zh: {
    greeting: '你好|您好|哈喽|哈啰|嗨|嘿|喂|大家好|早上好',
    thanks: '谢谢|謝謝|多谢|多謝|感谢|感謝|十分感谢|太感谢了|好|是',
    about: '你是谁|你是誰|您是谁|你是什么|你是什麼|这是什么|這是什麼|你能做什么',
    farewell: '再见|再見|拜拜|拜|回见|回头见|回頭見|明天见',
    also: '啊|呀|啦|了|哦|吧|呢|哈|噢|的|大家|各位|朋友|你|您|非常',
  },
  ja: {
    greeting:
      'こんにちは|こんにちわ|こんばんは|おはよう|おはようございます|やあ|ハロー|もしもし|どうも',
    thanks:
      'ありがとう|ありがとうございます|ありがとうございました|有難うございます|有り難うございます|有難うございました|誠にありがとうございます|感謝します',
    about: 'あなたは誰|あなたはだれですか|誰|君は誰|あなたは何|これは何|何ができる|何ができますか',
    farewell: 'さようなら|さよなら|バイバイ|ではまた|じゃあまた|じゃあね|じゃね|またね',
    also: 'です|ます|ね|よ|よね|な|か|さん|皆さん|みなさん|とても|本当に|すごく|大変',
  },
  ko: {
    greeting:
      '안녕|안녕하세요|안녕하십니까|안녕하신가요|반갑습니다|반가워|반가워요|만나서 반가워요|만나서 반갑습니다|계세요',
    thanks: '고마워|고마워요|고맙습니다|감사|감사해요|감사합니다|대단히 감사합니다|감사드립니다',
    about:
      '누구세요|누구야|넌 누구야|너는 누구야|너 누구야|당신은 누구세요|당신은 누구입니까|당신은 누구인가요',
    farewell: '안녕히 계세요|안녕히 가세요|잘 가|잘 가요|잘 있어|잘 있어요|바이|바이바이',
    also: '여러분|모두|정말|진짜|너무|아주|많이|도와주셔서|도와줘서|알려줘서|알려주셔서|답변|답변해 주셔서|친절한 답변',
  },
  ro: {
    greeting: 'bună|salut|salutare|bună ziua|bună dimineața|bună seara|neața|hei|alo',
    thanks:
      'mulțumesc|mersi|mulțumim|mulțumesc frumos|mii de mulțumiri|vă mulțumesc|îți mulțumesc|m a ajutat',
    about:
      'cine ești|cine ești tu|cine sunteți|ce ești|ce e asta|ce poți face|ce puteți face|ce știi să faci',
    farewell: 'la revedere|pa|pe curând|ne vedem|ne auzim|pe mâine|o zi bună|o zi frumoasă',
    also: 'tuturor|la toți|pentru ajutor|pentru tot|pentru răspuns|pentru informații|și|atunci|te rog|vă rog|din nou|iar|mult|foarte',
  },
  hu: {
    greeting:
      'szia|sziasztok|helló|szervusz|szervusztok|üdv|üdvözlöm|üdvözlet|jó napot|jó napot kívánok',
    thanks: 'köszönöm|köszi|kösz|köszönjük|hálás vagyok|hálásan köszönöm|segített|ez segített|jó',
    about: 'ki vagy|ki vagy te|te ki vagy|kicsoda vagy|kicsoda ön|mi vagy|mi ez|mit tudsz',
    farewell: 'viszlát|viszontlátásra|pá|pápá|minden jót|további szép napot|szép napot|jó éjszakát',
    also: 'mindenkinek|a segítséget|a segítségedet|a választ|mindent|az információt|és|akkor|kérem|légy szíves|újra|megint|nagyon|szépen',
  },
  bg: {
    greeting: 'здравей|здравейте|здрасти|привет|добър ден|добро утро|добър вечер|как си|как сте',
    thanks: 'благодаря|мерси|сполай|това помогна|много полезно|чудесно|супер|отлично',
    about:
      'кой си|кои сте|кой сте вие|какво си|какво е това|какво можеш|какво можеш да правиш|какво умееш',
    farewell: 'довиждане|чао|до скоро|до утре|до нови срещи|ще се видим|приятен ден|хубав ден',
    also: 'на всички|всички|за помощта|за всичко|за отговора|за информацията|и|тогава|моля|отново|пак|много|ти|ви',
  },
};
