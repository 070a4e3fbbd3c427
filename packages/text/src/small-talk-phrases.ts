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
    greeting: 'hi|hi there|hello|hello there|hey|hey there|heya|hiya',
    thanks:
      'thanks|thank you|thx|ty|cheers|thank u|tysm|much appreciated|thanks a lot|that was helpful|good|thank you very much|thank you so much',
    about:
      'who are you|what are you|what is this|what can you do|what can you do for me|what do you do|what can i ask|what can i ask you',
    farewell: 'bye|bye bye|goodbye|good bye|see you|see you later|see ya|cya',
    also: 'there|all|everyone|everybody|team|folks|guys|again|a lot|you|was',
  },
  de: {
    greeting: 'hallo|hallöchen|halli hallo|hi|hey|guten tag|guten morgen|guten abend|morgen',
    thanks:
      'danke|dankeschön|danke schön|danke sehr|vielen dank|besten dank|herzlichen dank|tausend dank',
    about:
      'wer bist du|wer sind sie|was bist du|was ist das hier|was kannst du|was kannst du alles|was können sie|was kann ich fragen|hilfe',
    farewell: 'tschüss|tschüß|tschüs|auf wiedersehen|auf wiederhören|wiedersehen|bis bald|bis dann',
    also: 'zusammen|alle|liebes team|team|nochmal|noch mal|bitte|und|für die hilfe|du',
  },
  fr: {
    greeting: 'bonjour|bonsoir|salut|coucou|allo|hello|rebonjour|ça va',
    thanks:
      'merci|merci beaucoup|merci bien|mille mercis|grand merci|un grand merci|je vous remercie|je te remercie',
    about:
      'qui es tu|qui êtes vous|tu es qui|vous êtes qui|t es qui|qu est ce que c est|c est quoi|que peux tu faire|es tu un robot',
    farewell:
      'au revoir|à bientôt|à plus|à plus tard|à demain|à la prochaine|bonne journée|bonne soirée',
    also: 'à tous|tout le monde|beaucoup|pour votre aide|pour ton aide|pour tout|pour la réponse|pour votre réponse',
  },
  es: {
    greeting: 'hola|buenas|muy buenas|buenos días|buen día|buenas tardes|buenas noches|qué tal',
    thanks:
      'gracias|muchas gracias|mil gracias|muchísimas gracias|te lo agradezco|se lo agradezco|muy amable|me ha ayudado',
    about:
      'quién eres|quién es usted|qué eres|qué es esto|qué puedes hacer|qué sabes hacer|qué puede hacer|qué haces',
    farewell:
      'adiós|hasta luego|hasta pronto|hasta mañana|hasta la vista|hasta la próxima|nos vemos|chao',
    also: 'a todos|todos|por la ayuda|por tu ayuda|por su ayuda|por todo|por la información|por responder',
  },
  it: {
    greeting:
      'ciao|salve|buongiorno|buon giorno|buonasera|buona sera|buon pomeriggio|ehi|buongiorno a tutti',
    thanks:
      'grazie|grazie mille|molte grazie|tante grazie|mille grazie|ti ringrazio|la ringrazio|vi ringrazio',
    about:
      'chi sei|chi è lei|cosa sei|che cosa sei|cos è questo|cosa puoi fare|che cosa puoi fare|cosa sai fare|come puoi aiutarmi|puoi aiutarmi',
    farewell:
      'arrivederci|arrivederla|a presto|a dopo|a domani|alla prossima|ci vediamo|buona giornata',
    also: 'a tutti|tutti|per l aiuto|per il tuo aiuto|per il suo aiuto|di tutto|per tutto|di cuore',
  },
  pt: {
    greeting: 'olá|oi|ola|bom dia|boa tarde|boa noite|e aí|tudo bem',
    thanks: 'obrigado|obrigada|muito obrigado|muito obrigada|obrigadão|brigado|brigada|valeu|bem',
    about: 'quem é você|quem és tu|quem és|quem é|o que é você|o que és|o que é isto|o que é isso',
    farewell: 'tchau|adeus|até logo|até mais|até breve|até amanhã|até à próxima|até a próxima',
    also: 'a todos|pessoal|gente|pela ajuda|pela sua ajuda|por tudo|pela resposta|pela informação|e|muito|você',
  },
  nl: {
    greeting: 'hallo|hoi|hey|hé|goedemorgen|goedemiddag|goedenavond|goedendag',
    thanks: 'bedankt|dank je|dank je wel|dankjewel|dank u|dank u wel|dankuwel|hartelijk dank',
    about:
      'wie ben je|wie ben jij|wie bent u|wat ben je|wat ben jij|wat is dit|wat kun je|wat kan je|ben je een robot',
    farewell: 'doei|doeg|dag dag|tot ziens|tot later|tot straks|tot morgen|tot de volgende keer',
    also: 'allemaal|iedereen|team|voor je hulp|voor uw hulp|voor de hulp|voor alles|voor het antwoord',
  },
  pl: {
    greeting: 'cześć|czesc|hej|hejka|witam|witaj|dzień dobry|dobry wieczór|dobry',
    thanks:
      'dziękuję|dzięki|dziękuję bardzo|bardzo dziękuję|wielkie dzięki|dzięki wielkie|serdecznie dziękuję|dziękuję pięknie',
    about:
      'kim jesteś|kto ty jesteś|kim pan jest|czym jesteś|co to jest|co potrafisz|co umiesz|co możesz zrobić|w czym możesz mi pomóc|możesz mi pomóc|pomoc',
    farewell: 'do widzenia|pa|pa pa|papa|na razie|narazie|do zobaczenia|do jutra',
    also: 'wszystkim|za pomoc|za wszystko|za odpowiedź|za informację|bardzo|i|więc',
  },
  cs: {
    greeting: 'ahoj|čau|čus|nazdar|dobrý den|dobré ráno|dobré odpoledne|dobrý večer',
    thanks: 'děkuji|děkuju|díky|dík|děkuji mnohokrát|mnohokrát děkuji|moc děkuji|moc děkuju',
    about: 'kdo jsi|kdo jste|co jsi|co je to|co umíš|co umíte|co dokážeš|co můžeš dělat',
    farewell: 'na shledanou|nashledanou|sbohem|zatím|tak zatím|měj se|mějte se|hezký den',
    also: 'všem|všichni|za pomoc|za vaši pomoc|za tvou pomoc|za všechno|za odpověď|za informaci',
  },
  sv: {
    greeting: 'hej|hejsan|hallå|tja|tjena|god morgon|god dag|god middag',
    thanks: 'tack|tack så mycket|tackar|tack ska du ha|stort tack|tusen tack|jättetack|många tack',
    about:
      'vem är du|vad är du|vad är detta|vad är det här|vad kan du|vad kan du göra|vad gör du|vad kan jag fråga',
    farewell: 'hej då|hejdå|adjö|vi ses|vi hörs|ses|ha det bra|ha det',
    also: 'alla|på er|allihopa|för hjälpen|för allt|för din hjälp|för svaret|för informationen|så|mycket',
  },
  da: {
    greeting: 'hej|hejsa|hej med dig|hallo|halløj|goddag|god dag|godmorgen',
    thanks:
      'tak|mange tak|tusind tak|tak skal du have|tak for hjælpen|tak for det|det hjalp|det hjælper',
    about:
      'hvem er du|hvad er du|hvad er det her|hvad er dette|hvad kan du|hvad kan du gøre|hvad laver du|hvad kan jeg spørge om|hvad kan du hjælpe med|kan du hjælpe',
    farewell: 'farvel|hej hej|vi ses|ses|på gensyn|hav det godt|hav en god dag|god dag',
    also: 'alle|alle sammen|for hjælpen|for din hjælp|for det hele|for svaret|og|så',
  },
  no: {
    greeting: 'hei|hei hei|heisann|hallo|god dag|god morgen|god ettermiddag|god kveld',
    thanks:
      'takk|tusen takk|mange takk|takk skal du ha|takk for hjelpen|takk for det|det hjalp|det hjelper',
    about:
      'hvem er du|hva er du|hva er dette|hva kan du|hva kan du gjøre|hva gjør du|hva kan jeg spørre om|hva kan jeg spørre deg om',
    farewell: 'ha det|ha det bra|ha det godt|hadet|farvel|adjø|vi ses|vi sees|ha en fin kveld',
    also: 'alle|alle sammen|for hjelpen|for din hjelp|for alt|for svaret|og|så',
  },
  fi: {
    greeting: 'hei|moi|moikka|terve|moro|heippa|hyvää päivää|päivää',
    thanks:
      'kiitos|kiitti|kiitoksia|paljon kiitoksia|kiitos paljon|suuri kiitos|tuhannet kiitokset|suurkiitos',
    about:
      'kuka olet|kuka sinä olet|kuka sä oot|mikä olet|mikä sinä olet|mikä tämä on|mitä osaat|mitä sinä osaat',
    farewell: 'näkemiin|hei hei|moi moi|heihei|moimoi|nähdään|kuulemiin|hyvää päivänjatkoa',
    also: 'kaikille|kaikki|avusta|avustasi|kaikesta|vastauksesta|tiedosta|ja|paljon',
  },
  tr: {
    greeting: 'merhaba|merhabalar|selam|selamlar|günaydın|iyi günler|iyi akşamlar|tünaydın',
    thanks:
      'teşekkürler|teşekkür ederim|çok teşekkürler|çok teşekkür ederim|sağ ol|sağol|sağ olun|sağolun|iyi',
    about: 'sen kimsin|kimsin|siz kimsiniz|kimsiniz|nesin|sen nesin|bu nedir|bu ne',
    farewell:
      'güle güle|hoşça kal|hoşçakal|hoşça kalın|hoşçakalın|görüşürüz|görüşmek üzere|kendine iyi bak',
    also: 'herkese|millet|arkadaşlar|yardımın için|yardımınız için|yardımlarınız için|her şey için|cevap için|çok',
  },
  ru: {
    greeting:
      'привет|приветик|здравствуйте|здравствуй|здрасте|добрый день|доброе утро|добрый вечер',
    thanks:
      'спасибо|спасибо большое|большое спасибо|огромное спасибо|спасибо огромное|благодарю|благодарю вас|спс',
    about: 'кто ты|ты кто|кто вы|вы кто|что ты такое|что это|что это такое|что ты умеешь|ты робот',
    farewell: 'пока|пока пока|до свидания|до встречи|до завтра|до скорого|увидимся|всего доброго',
    also: 'всем|вам|тебе|за помощь|за вашу помощь|за ответ|за информацию|за всё|большое',
  },
  uk: {
    greeting:
      'привіт|вітаю|здрастуйте|доброго дня|добрий день|доброго ранку|добрий ранок|доброго вечора',
    thanks: 'дякую|дуже дякую|щиро дякую|красно дякую|велике спасибі|дякую щиро|спасибі|вдячний',
    about: 'хто ти|ти хто|хто ви|ви хто|що ти таке|що це|що це таке|що ти вмієш',
    farewell: 'бувай|бувайте|до побачення|до зустрічі|до завтра|побачимось|побачимося|на все добре',
    also: 'всім|вам|тобі|за допомогу|за вашу допомогу|за відповідь|за інформацію|за все',
  },
  el: {
    greeting: 'γεια|γεια σου|γεια σας|γειά|γειά σου|γειά σας|καλημέρα|καλησπέρα',
    thanks:
      'ευχαριστώ|ευχαριστώ πολύ|ευχαριστώ πάρα πολύ|σε ευχαριστώ|σας ευχαριστώ|σ ευχαριστώ|πολλές ευχαριστίες|να σαι καλά',
    about:
      'ποιος είσαι|ποια είσαι|ποιος είστε|ποιοι είστε|τι είσαι|τι είναι αυτό|τι μπορείς να κάνεις|τι μπορείτε να κάνετε',
    farewell:
      'αντίο|τα λέμε|θα τα πούμε|εις το επανιδείν|καλή συνέχεια|καλή μέρα|καληνύχτα|καλό βράδυ',
    also: 'σε όλους|όλους|για τη βοήθεια|για την βοήθεια|για τη βοήθειά σας|για όλα|για την απάντηση|και|πολύ|σας',
  },
  ar: {
    greeting: 'مرحبا|مرحبًا|أهلا|أهلًا|أهلين|اهلا وسهلا|أهلا وسهلا|هلا|السلام عليكم',
    thanks: 'شكرا|شكرًا|شكرا جزيلا|شكرًا جزيلًا|شكرا لك|شكرا لكم|شكرا كثيرا|ألف شكر',
    about: 'من أنت|من انت|من أنتم|مين انت|مين إنت|ما أنت|ما هذا|شو هذا',
    farewell: 'مع السلامة|وداعا|وداعًا|إلى اللقاء|الى اللقاء|باي|في أمان الله|أراك لاحقا',
    also: 'بكم|بك|لك|لكم|جميعا|للجميع|على المساعدة|على مساعدتك|جزيلا|أنت|انت',
  },
  he: {
    greeting: 'שלום|היי|הי|אהלן|הלו|בוקר טוב|צהריים טובים|אחר צהריים טובים',
    thanks: 'תודה|תודה רבה|תודה לך|תודה לכם|המון תודה|רב תודות|תודה רבה לך|אני מודה לך|טוב',
    about: 'מי אתה|מי את|מי אתם|מה אתה|מה את|מה זה|מה אתה יודע לעשות|מה אתה יכול לעשות',
    farewell: 'להתראות|ביי|ביי ביי|שלום ולהתראות|נתראה|לילה טוב|יום טוב|המשך יום טוב',
    also: 'לכולם|כולם|על העזרה|על הכל|על הכול|על התשובה|על המידע|ו|רבה',
  },
  fa: {
    greeting: 'سلام|سلام علیکم|درود|درود بر شما|صبح بخیر|صبح به خیر|ظهر بخیر|عصر بخیر|وقت بخیر',
    thanks: 'ممنون|ممنونم|متشکرم|مرسی|سپاس|سپاسگزارم|تشکر|با تشکر|خیلی ممنون',
    about: 'تو کی هستی|شما کی هستید|شما کی هستین|تو کیستی|شما کیستید|کی هستی|تو چی هستی|این چیست',
    farewell: 'خداحافظ|خدافظ|خدا نگهدار|خدانگهدار|بای|به امید دیدار|فعلا|فعلاً',
    also: 'به همه|همگی|دوستان|عزیز|از شما|از کمک شما|بابت کمک|برای کمک|خیلی|شما',
  },
  hi: {
    greeting: 'नमस्ते|नमस्कार|हैलो|हेलो|हाय|राम राम|प्रणाम|सुप्रभात',
    thanks:
      'धन्यवाद|शुक्रिया|बहुत धन्यवाद|बहुत बहुत धन्यवाद|आपका धन्यवाद|आपका बहुत धन्यवाद|बहुत शुक्रिया|बहुत बहुत शुक्रिया|हाँ|हां',
    about: 'आप कौन हैं|तुम कौन हो|आप कौन हो|तू कौन है|आप क्या हैं|तुम क्या हो|यह क्या है|ये क्या है',
    farewell: 'अलविदा|बाय|बाय बाय|टाटा|फिर मिलेंगे|फिर मिलते हैं|बाद में मिलते हैं|शुभ रात्रि',
    also: 'सबको|सभी को|जी|मदद के लिए|आपकी मदद के लिए|सहायता के लिए|जवाब के लिए|जानकारी के लिए|तो|फिर|बहुत|आप',
  },
  th: {
    greeting: 'สวัสดี|หวัดดี|ดี|ฮัลโหล|ฮาย|สวัสดีตอนเช้า|อรุณสวัสดิ์|สวัสดีตอนบ่าย',
    thanks: 'ขอบคุณ|ขอบใจ|ขอบคุณมาก|ขอบคุณมากๆ|ขอบพระคุณ|ขอบพระคุณมาก|ขอบคุณที่ช่วย|ขอบคุณสำหรับความช่วยเหลือ',
    about: 'คุณคือใคร|คุณเป็นใคร|เธอคือใคร|เธอเป็นใคร|คุณคืออะไร|นี่คืออะไร|คุณทำอะไรได้|คุณทำอะไรได้บ้าง',
    farewell: 'ลาก่อน|บาย|บ๊ายบาย|บายบาย|แล้วเจอกัน|แล้วพบกันใหม่|เจอกันใหม่|ไว้เจอกัน',
    also: 'ครับ|ค่ะ|คะ|นะ|นะคะ|นะครับ|จ้า|จ้ะ|มาก',
  },
  vi: {
    greeting: 'xin chào|chào|chào bạn|chào anh|chào chị|chào em|chào mọi người|alo',
    thanks:
      'cảm ơn|cám ơn|cảm ơn bạn|cám ơn bạn|cảm ơn nhiều|cám ơn nhiều|cảm ơn bạn nhiều|cảm ơn rất nhiều|ổn',
    about:
      'bạn là ai|anh là ai|chị là ai|mày là ai|bạn là gì|đây là gì|cái này là gì|bạn làm được gì',
    farewell:
      'tạm biệt|bái bai|bai|hẹn gặp lại|gặp lại sau|hẹn gặp lại bạn|chúc ngủ ngon|chúc một ngày tốt lành',
    also: 'nhé|nha|ạ|à|nhiều|rất|lắm|mọi người|bạn',
  },
  id: {
    greeting: 'halo|hai|hei|hallo|helo|selamat pagi|selamat siang|selamat sore|pagi',
    thanks:
      'terima kasih|terimakasih|makasih|makasi|trims|terima kasih banyak|makasih banyak|banyak terima kasih',
    about:
      'siapa kamu|siapa anda|kamu siapa|anda siapa|kamu apa|apa ini|ini apa|apa yang bisa kamu lakukan',
    farewell:
      'sampai jumpa|sampai nanti|sampai jumpa lagi|sampai besok|selamat tinggal|dadah|dah|bye',
    also: 'semua|semuanya|ya|banyak|sekali|atas bantuannya|atas bantuanmu|atas bantuan anda|lagi|kamu',
  },
  zh: {
    greeting: '你好|您好|你好啊|你好呀|您好啊|哈喽|哈啰|嗨',
    thanks: '谢谢|謝謝|谢谢你|謝謝你|谢谢您|謝謝您|多谢|多謝|感谢|非常感谢|好|是',
    about: '你是谁|你是誰|您是谁|你是什么|你是什麼|这是什么|這是什麼|你能做什么',
    farewell: '再见|再見|拜拜|拜|回见|回头见|回頭見|明天见',
    also: '啊|呀|啦|了|哦|吧|呢|哈|你|您|非常',
  },
  ja: {
    greeting:
      'こんにちは|こんにちわ|こんばんは|おはよう|おはようございます|やあ|ハロー|もしもし|どうも',
    thanks:
      'ありがとう|ありがとうございます|ありがとうございました|有難うございます|有り難うございます|有難うございました|どうもありがとう|どうもありがとうございます|どうもありがとうございました',
    about:
      'あなたは誰|あなたは誰ですか|あなたはだれですか|誰|誰ですか|君は誰|あなたは何|あなたは何ですか',
    farewell: 'さようなら|さよなら|バイバイ|ではまた|じゃあまた|じゃあね|じゃね|またね',
    also: 'です|ます|ね|よ|よね|な|か|さん',
  },
  ko: {
    greeting:
      '안녕|안녕하세요|안녕하십니까|안녕하신가요|반갑습니다|반가워|반가워요|만나서 반가워요|계세요',
    thanks: '고마워|고마워요|고맙습니다|감사|감사해요|감사합니다|정말 감사합니다|대단히 감사합니다',
    about:
      '누구세요|누구야|넌 누구야|너는 누구야|너 누구야|당신은 누구세요|당신은 누구입니까|당신은 누구인가요',
    farewell: '안녕히 계세요|안녕히 가세요|잘 가|잘 가요|잘 있어|잘 있어요|바이|바이바이',
    also: '여러분|모두|정말|진짜|너무|아주|많이|도와주셔서',
  },
  ro: {
    greeting: 'bună|salut|salutare|bună ziua|bună dimineața|bună seara|neața|hei',
    thanks:
      'mulțumesc|mersi|mulțumim|mulțumesc mult|mulțumesc frumos|mii de mulțumiri|vă mulțumesc|îți mulțumesc',
    about:
      'cine ești|cine ești tu|cine sunteți|ce ești|ce e asta|ce poți face|ce puteți face|ce știi să faci',
    farewell: 'la revedere|pa|pa pa|pe curând|ne vedem|ne auzim|pe mâine|o zi bună',
    also: 'tuturor|la toți|pentru ajutor|pentru tot|pentru răspuns|pentru informații|și|atunci',
  },
  hu: {
    greeting:
      'szia|sziasztok|helló|hello|szervusz|szervusztok|üdv|üdvözlöm|jó napot|jó napot kívánok',
    thanks:
      'köszönöm|köszi|kösz|köszönöm szépen|nagyon köszönöm|köszönjük|hálás vagyok|hálásan köszönöm|jó',
    about: 'ki vagy|ki vagy te|te ki vagy|kicsoda vagy|kicsoda ön|mi vagy|mi ez|mit tudsz',
    farewell: 'viszlát|viszontlátásra|szia szia|pá|pápá|minden jót|további szép napot|szép napot',
    also: 'mindenkinek|a segítséget|a segítségedet|a választ|mindent|az információt|és|akkor|szépen',
  },
  bg: {
    greeting: 'здравей|здравейте|здрасти|привет|добър ден|добро утро|добър вечер|как си',
    thanks:
      'благодаря|благодаря ти|благодаря ви|много благодаря|благодаря много|мерси|мерси много|сполай',
    about:
      'кой си|кой си ти|кои сте|кой сте вие|какво си|какво е това|какво можеш|какво можеш да правиш',
    farewell: 'довиждане|чао|до скоро|до утре|до нови срещи|ще се видим|приятен ден|хубав ден',
    also: 'на всички|всички|за помощта|за всичко|за отговора|за информацията|и|тогава|ти|ви',
  },
};
