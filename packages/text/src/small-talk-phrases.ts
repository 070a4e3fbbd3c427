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
    greeting:
      'hi|hi there|hello|hello there|hey|hey there|heya|hiya|howdy|yo|good morning|good afternoon|good evening|good day|morning|afternoon|evening|greetings|how are you|how are you doing|how are you today|how do you do|how is it going|how s it going|how are things|what s up|whats up|sup|nice to meet you|are you there|anyone there|anybody there|is anyone there|is anybody there|happy new year|merry christmas|hello hello|hi all',
    thanks:
      'thanks|thank you|thx|ty|cheers|thank u|tysm|much appreciated|appreciate it|i appreciate it|thanks a lot|thanks a million|many thanks|thanks so much|thank you so much|thank you very much|that helped|that helps|that was helpful|very helpful|that s helpful|great|great job|good job|well done|nice|nice one|awesome|excellent|brilliant|amazing|lovely|got it|i see|understood|all clear|makes sense|alright|all right|fine|sounds good|good to know|you re the best|you are great|you are the best|never mind|nevermind|that s all|that is all|that was all|that s it|no thanks|no thank you|good|yes|no|yes please|sure|right|ta|sounds great|that is great|that s great|you are awesome|you re awesome|you rock|that was it|thanks in advance|thank you in advance|thanks again|very kind|you are very kind|you re very kind|many thanks in advance',
    about:
      'who are you|what are you|what is this|what can you do|what can you do for me|what do you do|what can i ask|what can i ask you|what can you help me with|what can you help with|how can you help|how can you help me|can you help me|can you help|help|help me|i need help|please help|are you a bot|are you a robot|are you human|are you a human|are you real|are you an ai|are you a person|are you a real person|am i talking to a bot|am i talking to a human|what s your name|what is your name|who made you|who built you|what do you know|how do you work|how does this work|what is this for|what are you for|can i ask you something|can i ask a question|i have a question|may i ask something',
    farewell:
      'bye|bye bye|goodbye|good bye|see you|see you later|see ya|cya|take care|good night|have a nice day|have a good day|have a great day|have a nice weekend|have a good one|until next time|talk to you later|talk later|later|farewell|so long|see you tomorrow|see you soon|ttyl|have a lovely day|have a lovely evening|have a nice evening|have a good evening|have a great weekend|have a good weekend|enjoy your day|enjoy your weekend|cheerio',
    also: 'there|all|everyone|everybody|team|folks|guys|again|please|a lot|so much|very much|for your help|for the help|for helping|for that|for everything|for now|and|then|you|well|sir|madam|dear|friend|my friend|it|was|is|much|really|to you|today|too|buddy|mate|bot|assistant|now|a bunch|one more time|indeed|with this|my|or a human|or a person|or a machine|or a real person|or human|or a robot|or a bot',
  },
  de: {
    greeting:
      'hallo|hallöchen|halli hallo|hi|hey|guten tag|guten morgen|guten abend|morgen|moin|moin moin|servus|grüß gott|grüss gott|grüezi|grüß dich|grüezi mitenand|tag|n abend|mahlzeit|wie geht s|wie gehts|wie geht es dir|wie geht es ihnen|wie geht s dir|na|jemand da|ist jemand da|ist da jemand|bist du da|schön dich kennenzulernen|frohe weihnachten|frohes neues jahr',
    thanks:
      'danke|dankeschön|danke schön|danke sehr|vielen dank|besten dank|herzlichen dank|tausend dank|lieben dank|ich danke dir|ich danke ihnen|danke dir|danke ihnen|das hat geholfen|das hilft|hat geholfen|sehr hilfreich|prima|klasse|toll|spitze|wunderbar|ausgezeichnet|gut|sehr gut|alles klar|verstanden|verstehe|in ordnung|passt|das war s|das wars|das war alles|das ist alles|nein danke|schon gut|egal|ja|nein|genau|stimmt|gut zu wissen|vielen lieben dank|herzlichsten dank|ganz lieben dank|sehr nett|das ist nett|das ist lieb|sehr freundlich|danke im voraus|vielen dank im voraus',
    about:
      'wer bist du|wer sind sie|was bist du|was ist das hier|was kannst du|was kannst du alles|was können sie|was kann ich fragen|was kann ich dich fragen|was kann ich sie fragen|wobei kannst du helfen|wobei kannst du mir helfen|wobei können sie mir helfen|womit kannst du mir helfen|wie kannst du mir helfen|wie kannst du helfen|kannst du mir helfen|können sie mir helfen|hilfe|hilf mir|ich brauche hilfe|bist du ein bot|bist du ein roboter|bist du ein mensch|bist du eine ki|bist du echt|sind sie ein mensch|sind sie ein roboter|sind sie ein bot|wie heißt du|wie heisst du|wie heißen sie|was machst du|was weißt du|wie funktionierst du|wie funktioniert das|ich habe eine frage|ich hätte eine frage|darf ich etwas fragen|kann ich dich etwas fragen|bist du ein echter mensch|bist du eine maschine',
    farewell:
      'tschüss|tschüß|tschüs|auf wiedersehen|auf wiederhören|wiedersehen|bis bald|bis dann|bis später|bis morgen|gute nacht|schönen tag|schönen tag noch|einen schönen tag|einen schönen tag noch|schönes wochenende|schönen abend|schönen feierabend|mach s gut|machs gut|servus und tschüss|schönen abend noch',
    also: 'zusammen|alle|liebes team|team|nochmal|noch mal|bitte|und|dann|auch|für die hilfe|für deine hilfe|für ihre hilfe|für die info|für die auskunft|für die schnelle antwort|schon|sehr|dir|ihnen|denn|heute|mal|erstmal|ihr|lieber|liebe|na dann|damit|noch|du|so|oder ein roboter|oder ein mensch|oder eine maschine|oder roboter|oder mensch|oder ein bot|im voraus|lieben',
  },
  fr: {
    greeting:
      'bonjour|bonsoir|salut|coucou|allo|hello|rebonjour|ça va|comment ça va|comment vas tu|comment allez vous|tu vas bien|vous allez bien|il y a quelqu un|y a quelqu un|enchanté|enchantée|bonne année|joyeux noël|quoi de neuf|bonjour à toutes et à tous|ça va bien|bonjour à vous|comment tu vas',
    thanks:
      'merci|merci beaucoup|merci bien|mille mercis|grand merci|un grand merci|je vous remercie|je te remercie|ça m a aidé|cela m a aidé|ça aide|très utile|c est très utile|parfait|génial|super|excellent|formidable|très bien|bien|c est bon|c est noté|d accord|compris|j ai compris|entendu|c est tout|ce sera tout|non merci|oui|non|pas grave|laisse tomber|nickel|bon à savoir|merci d avance|c est gentil|c est très gentil|merci c est gentil|merci à vous|merci à toi',
    about:
      'qui es tu|qui êtes vous|tu es qui|vous êtes qui|t es qui|qu est ce que c est|c est quoi|que peux tu faire|que pouvez vous faire|que sais tu faire|que savez vous faire|qu est ce que tu peux faire|qu est ce que vous pouvez faire|que puis je te demander|que puis je vous demander|comment peux tu m aider|comment pouvez vous m aider|peux tu m aider|pouvez vous m aider|tu peux m aider|vous pouvez m aider|aide|aide moi|aidez moi|à l aide|j ai besoin d aide|es tu un robot|êtes vous un robot|tu es un robot|vous êtes un robot|es tu humain|êtes vous humain|es tu une ia|tu es une ia|comment tu t appelles|comment t appelles tu|comment vous appelez vous|quel est ton nom|comment ça marche|comment fonctionnes tu|j ai une question|puis je poser une question|je peux poser une question|t es un robot|es tu une vraie personne|tu es une vraie personne|êtes vous une vraie personne',
    farewell:
      'au revoir|à bientôt|à plus|à plus tard|à demain|à la prochaine|bonne journée|bonne soirée|bonne nuit|bon week end|bonne fin de journée|adieu|bye|bonne journée à vous|bonne soirée à vous|bon weekend',
    also: 'à tous|tout le monde|beaucoup|pour votre aide|pour ton aide|pour tout|pour la réponse|pour votre réponse|pour l info|et|alors|encore|s il vous plaît|s il te plaît|svp|monsieur|madame|et vous|et toi|l équipe|donc|très|bien|toi|vous|aussi|ah|ou une vraie personne|ou un humain|ou une personne|ou humain|ou un robot|à vous|à toi|à toutes et à tous|d avance',
  },
  es: {
    greeting:
      'hola|buenas|muy buenas|buenos días|buen día|buenas tardes|buenas noches|qué tal|cómo estás|cómo está|cómo están|cómo te va|cómo va|qué hay|saludos|hay alguien|hay alguien ahí|estás ahí|encantado|encantada|feliz navidad|feliz año|qué tal estás|qué tal está|qué tal todo|cómo le va|buenas a todos',
    thanks:
      'gracias|muchas gracias|mil gracias|muchísimas gracias|te lo agradezco|se lo agradezco|muy amable|me ha ayudado|me ayudó|eso ayuda|muy útil|perfecto|genial|estupendo|excelente|fantástico|vale|de acuerdo|entendido|entiendo|muy bien|bien|bueno|está bien|listo|eso es todo|nada más|no gracias|sí|si|no|da igual|bueno es saberlo|gracias de antemano|muchas gracias de antemano|eres muy amable|es usted muy amable|eso era todo',
    about:
      'quién eres|quién es usted|qué eres|qué es esto|qué puedes hacer|qué sabes hacer|qué puede hacer|qué haces|qué te puedo preguntar|qué puedo preguntar|qué puedo preguntarte|en qué puedes ayudarme|en qué me puedes ayudar|en qué puede ayudarme|cómo puedes ayudarme|me puedes ayudar|puedes ayudarme|me puede ayudar|puede ayudarme|ayuda|ayúdame|ayúdeme|necesito ayuda|eres un robot|eres un bot|eres humano|eres una persona|eres una máquina|eres una ia|es usted un robot|es usted humano|cómo te llamas|cuál es tu nombre|cómo se llama|cómo funcionas|cómo funciona esto|tengo una pregunta|puedo hacer una pregunta|puedo preguntar algo|eres una persona real|eres real|es usted una persona|me echas una mano',
    farewell:
      'adiós|hasta luego|hasta pronto|hasta mañana|hasta la vista|hasta la próxima|nos vemos|chao|chau|que tengas un buen día|que tenga un buen día|buen fin de semana|buena tarde|cuídate|que tengas buen día|que tenga buen día',
    also: 'a todos|todos|por la ayuda|por tu ayuda|por su ayuda|por todo|por la información|por responder|y|entonces|por favor|equipo|otra vez|de nuevo|de verdad|por ahora|usted|tú|muy|pues|señor|señora|amigo|ah|o una persona|o un humano|o humano|o una persona real|o un robot|de antemano',
  },
  it: {
    greeting:
      'ciao|salve|buongiorno|buon giorno|buonasera|buona sera|buon pomeriggio|ehi|pronto|come stai|come sta|come va|tutto bene|piacere|c è qualcuno|ci sei|buon natale|buon anno|come te la passi|come vanno le cose|che si dice|buongiorno a tutti|buonasera a tutti|tutto ok',
    thanks:
      'grazie|grazie mille|molte grazie|tante grazie|mille grazie|ti ringrazio|la ringrazio|vi ringrazio|mi è stato utile|è stato utile|molto utile|mi hai aiutato|perfetto|ottimo|fantastico|benissimo|molto bene|bene|va bene|d accordo|capito|ho capito|chiaro|tutto chiaro|è tutto|basta così|no grazie|sì|si|no|non importa|bello|grazie infinite|grazie tante|ti ringrazio tanto|la ringrazio molto|sei stato gentilissimo|sei stato molto gentile|sei gentilissimo|sei molto gentile|molto gentile|gentilissimo|grazie in anticipo|ti ringrazio molto|ho tutto|era tutto',
    about:
      'chi sei|chi è lei|cosa sei|che cosa sei|cos è questo|cosa puoi fare|che cosa puoi fare|cosa sai fare|che cosa sai fare|cosa fai|cosa posso chiederti|cosa posso chiedere|come puoi aiutarmi|come mi puoi aiutare|in cosa puoi aiutarmi|puoi aiutarmi|mi puoi aiutare|può aiutarmi|mi può aiutare|aiuto|aiutami|mi aiuti|ho bisogno di aiuto|sei un robot|sei un bot|sei umano|sei una persona|sei una ia|sei un ia|come ti chiami|come si chiama|qual è il tuo nome|come funzioni|come funziona|ho una domanda|posso fare una domanda|posso chiederti una cosa|chi sei tu|tu chi sei|sei una persona vera|sei una persona reale|sei una macchina|mi puoi dare una mano|puoi darmi una mano|mi dai una mano|lei è un robot|è un robot|sei un essere umano',
    farewell:
      'arrivederci|arrivederla|a presto|a dopo|a domani|alla prossima|ci vediamo|buona giornata|buona serata|buona notte|buonanotte|buon fine settimana|addio|ciao ciao|ci sentiamo|a più tardi|ci sentiamo presto|buon proseguimento|buon lavoro|buon weekend|buona domenica',
    also: 'a tutti|tutti|per l aiuto|per il tuo aiuto|per il suo aiuto|di tutto|per tutto|di cuore|della risposta|per la risposta|per le informazioni|e|allora|per favore|di nuovo|ancora|davvero|molto|e lei|e tu|oggi|così|gentilissimo|signore|signora|o una persona|o un umano|o una persona vera|o un essere umano|o umano|o un robot|tanto|in anticipo',
  },
  pt: {
    greeting:
      'olá|oi|ola|bom dia|boa tarde|boa noite|e aí|tudo bem|tudo bom|como vai|como está|como estás|como você está|como vai você|alô|tem alguém aí|está aí|prazer|prazer em conhecê lo|feliz natal|feliz ano novo|opa|tudo certo|e aí beleza|tudo joia|tudo ok|oi gente',
    thanks:
      'obrigado|obrigada|muito obrigado|muito obrigada|obrigadão|brigado|brigada|valeu|agradeço|agradecido|agradecida|ajudou|ajudou muito|isso ajudou|muito útil|foi útil|perfeito|ótimo|óptimo|excelente|maravilha|legal|fixe|beleza|entendi|entendido|percebi|certo|está bem|tá bom|tá|muito bem|bem|bom|é tudo|é só isso|era só isso|isso é tudo|não obrigado|não obrigada|sim|não|deixa pra lá|não importa|bom saber|era isso|era tudo|ajudou bastante|me ajudou muito|você ajudou muito|muitíssimo obrigado|muitíssima obrigada|obrigado desde já|obrigada desde já|gentileza sua|muito gentil|ajudou me muito',
    about:
      'quem é você|quem és tu|quem és|quem é|o que é você|o que és|o que é isto|o que é isso|o que você faz|o que você pode fazer|o que podes fazer|o que sabes fazer|o que você sabe fazer|o que posso perguntar|o que posso te perguntar|em que você pode me ajudar|em que pode me ajudar|em que me podes ajudar|como você pode me ajudar|como pode me ajudar|como me podes ajudar|pode me ajudar|você pode me ajudar|podes ajudar me|pode ajudar me|ajuda|me ajuda|me ajude|ajude me|preciso de ajuda|você é um robô|és um robô|é um robô|você é um bot|você é humano|és humano|você é uma ia|qual é o seu nome|qual é o teu nome|qual seu nome|como você se chama|como te chamas|como funciona|como você funciona|tenho uma pergunta|tenho uma dúvida|posso fazer uma pergunta|você é de verdade|você é uma pessoa|você é uma pessoa de verdade|você é real|você é uma máquina|és uma pessoa|é uma pessoa real|és uma pessoa real|você me ajuda|pode me dar uma mão',
    farewell:
      'tchau|adeus|até logo|até mais|até breve|até amanhã|até à próxima|até a próxima|tenha um bom dia|tenha um ótimo dia|bom fim de semana|bom fim de semana|boa semana|falou|xau|um abraço',
    also: 'a todos|pessoal|gente|pela ajuda|pela sua ajuda|por tudo|pela resposta|pela informação|e|então|por favor|de novo|outra vez|mesmo|muito|você|senhor|senhora|amigo|por agora|ou uma pessoa|ou um humano|ou humano|ou um robô|ou uma pessoa de verdade|desde já|bastante|tanto',
  },
  nl: {
    greeting:
      'hallo|hoi|hey|hé|goedemorgen|goedemiddag|goedenavond|goedendag|goeiemorgen|goede morgen|goede middag|goede avond|dag|hoe gaat het|hoe gaat het met je|hoe gaat het met u|hoe is het|alles goed|is er iemand|ben je daar|aangenaam|prettige kerstdagen|gelukkig nieuwjaar|hallo daar|alles goed met je|alles goed met jou|alles goed met u|hoe gaat het met jou|hoe is het met je|hoe gaat ie|hoe gaat t|hoi hoi',
    thanks:
      'bedankt|dank je|dank je wel|dankjewel|dank u|dank u wel|dankuwel|hartelijk dank|heel erg bedankt|hartelijk bedankt|veel dank|dankje|dat helpt|dat heeft geholpen|heel nuttig|erg nuttig|prima|geweldig|mooi|fijn|uitstekend|perfect|goed|heel goed|begrepen|ik begrijp het|snap ik|duidelijk|oké|in orde|is goed|dat was het|dat is alles|dat was alles|nee bedankt|nee dank je|laat maar|ja|nee|goed om te weten|lekker|super bedankt|ontzettend bedankt|alvast bedankt|alvast dank|reuze bedankt|duizendmaal dank|wat aardig|heel aardig|heel vriendelijk|je bent geweldig|daar heb ik wat aan',
    about:
      'wie ben je|wie ben jij|wie bent u|wat ben je|wat ben jij|wat is dit|wat kun je|wat kan je|wat kun je doen|wat kan je doen|wat kun jij|wat kunt u|wat doe je|wat kan ik vragen|wat kan ik je vragen|waarmee kun je me helpen|waarmee kunt u mij helpen|waar kun je me mee helpen|hoe kun je me helpen|hoe kun je helpen|kun je me helpen|kunt u mij helpen|kun je helpen|help|help me|ik heb hulp nodig|ben je een robot|ben je een bot|ben jij een robot|ben je een mens|ben je echt|bent u een robot|hoe heet je|hoe heet jij|wat is je naam|hoe werk je|hoe werkt dit|ik heb een vraag|mag ik iets vragen|wie ben jij eigenlijk|ben je een echt persoon|ben je een echt mens|ben jij een mens|ben je een persoon|bent u een mens|ben je een machine|kun je mij helpen|kan je me helpen|kan je mij helpen|kunt u me helpen|kan iemand me helpen',
    farewell:
      'doei|doeg|dag dag|tot ziens|tot later|tot straks|tot morgen|tot de volgende keer|fijne dag|prettige dag|een fijne dag|fijne avond|fijn weekend|prettig weekend|welterusten|goede nacht|houdoe|de groeten|fijne avond nog|fijne dag nog|prettige avond|tot snel|tot gauw|tot de volgende|werk ze',
    also: 'allemaal|iedereen|team|voor je hulp|voor uw hulp|voor de hulp|voor alles|voor het antwoord|en|dan|alsjeblieft|alstublieft|nog|weer|heel|erg|hoor|zeg|nog een|met je|vandaag|er|daar|meneer|mevrouw|of een mens|of een robot|of mens|of een echt persoon|of een persoon|of een bot|voor de snelle hulp|voor uw snelle hulp|voor je snelle hulp|eigenlijk',
  },
  pl: {
    greeting:
      'cześć|czesc|hej|hejka|witam|witaj|dzień dobry|dobry wieczór|dobry|siema|siemka|jak się masz|jak się pan ma|co słychać|co tam|jak leci|miło mi|jest tam ktoś|jesteś tam|wesołych świąt|szczęśliwego nowego roku|co u ciebie|co u ciebie słychać|jak tam|witam serdecznie|witam państwa|dzień dobry państwu|hejka naklejka|jak się miewasz|wszystko w porządku',
    thanks:
      'dziękuję|dzięki|dziękuję bardzo|bardzo dziękuję|wielkie dzięki|dzięki wielkie|serdecznie dziękuję|dziękuję pięknie|pomogło|to pomogło|bardzo pomocne|świetnie|super|doskonale|wspaniale|dobrze|bardzo dobrze|rozumiem|zrozumiałem|zrozumiałam|jasne|w porządku|to wszystko|to tyle|nie dziękuję|nieważne|tak|nie|dobra|fajnie|idealnie|dziękuję ślicznie|ślicznie dziękuję|dzięki bardzo|pięknie dziękuję|z góry dziękuję|dziękuję z góry|bardzo miło|to miłe|dziękuję serdecznie|stokrotne dzięki',
    about:
      'kim jesteś|kto ty jesteś|kim pan jest|czym jesteś|co to jest|co potrafisz|co umiesz|co możesz zrobić|co możesz dla mnie zrobić|co robisz|o co mogę zapytać|o co mogę cię zapytać|w czym możesz mi pomóc|w czym możesz pomóc|jak możesz mi pomóc|możesz mi pomóc|czy możesz mi pomóc|pomoc|pomocy|pomóż mi|potrzebuję pomocy|jesteś robotem|czy jesteś robotem|jesteś botem|czy jesteś botem|jesteś człowiekiem|czy jesteś człowiekiem|jak masz na imię|jak się nazywasz|jak działasz|jak to działa|mam pytanie|czy mogę o coś zapytać|mogę zadać pytanie|jesteś prawdziwą osobą|czy jesteś prawdziwą osobą|czy jesteś prawdziwy|jesteś osobą|jesteś maszyną|czy rozmawiam z botem|czy rozmawiam z człowiekiem|czy pan jest robotem',
    farewell:
      'do widzenia|pa|pa pa|papa|na razie|narazie|do zobaczenia|do jutra|do usłyszenia|miłego dnia|dobranoc|dobrej nocy|miłego wieczoru|miłego weekendu|trzymaj się|żegnaj',
    also: 'wszystkim|za pomoc|za wszystko|za odpowiedź|za informację|bardzo|i|więc|proszę|jeszcze raz|ponownie|panu|pani|państwu|ci|wam|to|no|a|czy człowiekiem|czy robotem|czy botem|czy prawdziwą osobą|z góry|serdecznie|ślicznie',
  },
  cs: {
    greeting:
      'ahoj|čau|čus|nazdar|dobrý den|dobré ráno|dobré odpoledne|dobrý večer|zdravím|zdravíčko|jak se máš|jak se máte|jak to jde|co je nového|těší mě|je tu někdo|jsi tam|veselé vánoce|šťastný nový rok',
    thanks:
      'děkuji|děkuju|díky|dík|děkuji mnohokrát|mnohokrát děkuji|moc děkuji|moc děkuju|díky moc|moc díky|velké díky|to pomohlo|pomohlo to|velmi užitečné|výborně|skvělé|skvěle|super|paráda|perfektní|dobře|dobrá|rozumím|chápu|jasně|v pořádku|to je vše|to je všechno|ne děkuji|to nevadí|ano|jo|ne|fajn|hezké|děkuji předem|předem děkuji|díky předem',
    about:
      'kdo jsi|kdo jste|co jsi|co je to|co umíš|co umíte|co dokážeš|co můžeš dělat|co děláš|na co se mohu zeptat|na co se můžu zeptat|s čím mi můžeš pomoci|s čím mi můžeš pomoct|s čím mi můžete pomoci|jak mi můžeš pomoct|jak mi můžete pomoci|můžeš mi pomoct|můžeš mi pomoci|můžete mi pomoci|pomoc|pomoz mi|potřebuji pomoc|jsi robot|jste robot|jsi bot|jsi člověk|jste člověk|jak se jmenuješ|jak se jmenujete|jak funguješ|jak to funguje|mám otázku|mám dotaz|můžu se zeptat',
    farewell:
      'na shledanou|nashledanou|sbohem|zatím|tak zatím|měj se|mějte se|hezký den|pěkný den|přeji hezký den|dobrou noc|hezký večer|hezký víkend|uvidíme se|papa|ahoj a díky',
    also: 'všem|všichni|za pomoc|za vaši pomoc|za tvou pomoc|za všechno|za odpověď|za informaci|a|tak|prosím|ještě jednou|znovu|moc|vám|ti|hezky|pane|paní|nebo člověk|nebo robot|předem',
  },
  sv: {
    greeting:
      'hej|hejsan|hallå|tja|tjena|god morgon|god dag|god middag|god kväll|god förmiddag|hur mår du|hur är det|hur är läget|läget|är det någon där|är du där|trevligt att träffas|god jul|gott nytt år',
    thanks:
      'tack|tack så mycket|tackar|tack ska du ha|stort tack|tusen tack|jättetack|många tack|det hjälpte|det hjälper|mycket hjälpsamt|toppen|bra|jättebra|mycket bra|utmärkt|perfekt|underbart|kanon|förstår|jag förstår|uppfattat|okej|det var allt|det är allt|nej tack|strunt samma|ja|nej|fint|härligt|schysst|bra att veta|tack på förhand|snällt av dig',
    about:
      'vem är du|vad är du|vad är detta|vad är det här|vad kan du|vad kan du göra|vad gör du|vad kan jag fråga|vad kan jag fråga dig|vad kan du hjälpa mig med|vad kan du hjälpa till med|hur kan du hjälpa mig|kan du hjälpa mig|kan du hjälpa till|hjälp|hjälp mig|jag behöver hjälp|är du en robot|är du en bot|är du människa|är du en människa|är du en ai|vad heter du|hur fungerar du|hur fungerar det här|hur fungerar det|jag har en fråga|får jag fråga något|kan jag fråga något',
    farewell:
      'hej då|hejdå|adjö|vi ses|vi hörs|ses|ha det bra|ha det|ha en bra dag|ha en trevlig dag|ha en fin dag|god natt|trevlig helg|på återseende|tills nästa gång',
    also: 'alla|på er|allihopa|för hjälpen|för allt|för din hjälp|för svaret|för informationen|så|mycket|och|då|snälla|igen|på dig|där|alla där|dig|idag|eller en människa|eller människa|eller en robot|på förhand|eller en bot',
  },
  da: {
    greeting:
      'hej|hejsa|hej med dig|hallo|halløj|goddag|god dag|godmorgen|god morgen|god eftermiddag|godaften|god aften|davs|hvordan går det|hvordan har du det|er der nogen|er du der|glædelig jul|godt nytår',
    thanks:
      'tak|mange tak|tusind tak|tak skal du have|tak for hjælpen|tak for det|det hjalp|det hjælper|meget nyttigt|super|fint|godt|meget godt|rigtig godt|fantastisk|perfekt|skønt|dejligt|forstået|jeg forstår|okay|i orden|det var alt|det er alt|det var det|nej tak|lige meget|ja|nej|fedt|godt at vide',
    about:
      'hvem er du|hvad er du|hvad er det her|hvad er dette|hvad kan du|hvad kan du gøre|hvad laver du|hvad kan jeg spørge om|hvad kan jeg spørge dig om|hvad kan du hjælpe med|hvad kan du hjælpe mig med|hvordan kan du hjælpe mig|kan du hjælpe mig|kan du hjælpe|hjælp|hjælp mig|jeg har brug for hjælp|er du en robot|er du en bot|er du et menneske|er du menneske|hvad hedder du|hvordan virker du|hvordan virker det|jeg har et spørgsmål|må jeg spørge om noget',
    farewell:
      'farvel|hej hej|vi ses|ses|på gensyn|hav det godt|hav en god dag|god dag|fortsat god dag|godnat|god nat|god weekend|vi snakkes|vi tales ved',
    also: 'alle|alle sammen|for hjælpen|for din hjælp|for det hele|for svaret|og|så|venligst|igen|med dig|der|da|i dag|det|meget',
  },
  no: {
    greeting:
      'hei|hei hei|heisann|hallo|god dag|god morgen|god ettermiddag|god kveld|morn|hvordan går det|hvordan har du det|står til|hvordan står det til|er det noen der|er du der|god jul|godt nytt år',
    thanks:
      'takk|tusen takk|mange takk|takk skal du ha|takk for hjelpen|takk for det|det hjalp|det hjelper|veldig nyttig|supert|fint|bra|kjempebra|veldig bra|flott|flotte greier|perfekt|utmerket|forstått|jeg forstår|skjønner|ok da|i orden|greit|det var alt|det er alt|det var det|nei takk|samme det|ja|nei|kult|godt å vite',
    about:
      'hvem er du|hva er du|hva er dette|hva kan du|hva kan du gjøre|hva gjør du|hva kan jeg spørre om|hva kan jeg spørre deg om|hva kan du hjelpe med|hva kan du hjelpe meg med|hvordan kan du hjelpe meg|kan du hjelpe meg|kan du hjelpe|hjelp|hjelp meg|jeg trenger hjelp|er du en robot|er du en bot|er du et menneske|er du menneske|hva heter du|hvordan virker du|hvordan fungerer dette|hvordan fungerer du|jeg har et spørsmål|kan jeg spørre om noe',
    farewell:
      'ha det|ha det bra|ha det godt|hadet|farvel|adjø|vi ses|vi sees|vi snakkes|på gjensyn|ha en fin dag|ha en god dag|ha en fin kveld|god natt|god helg',
    also: 'alle|alle sammen|for hjelpen|for din hjelp|for alt|for svaret|og|så|vær så snill|igjen|på deg|der|da|i dag|så mye',
  },
  fi: {
    greeting:
      'hei|moi|moikka|terve|moro|heippa|hyvää päivää|päivää|hyvää huomenta|huomenta|hyvää iltaa|iltaa|mitä kuuluu|miten menee|mitä sinulle kuuluu|kuinka voit|onko siellä ketään|oletko siellä|hyvää joulua|hyvää uutta vuotta',
    thanks:
      'kiitos|kiitti|kiitoksia|paljon kiitoksia|kiitos paljon|suuri kiitos|tuhannet kiitokset|suurkiitos|se auttoi|tästä oli apua|hyödyllistä|hienoa|hyvä|hyvin|oikein hyvä|erinomaista|loistavaa|mahtavaa|täydellistä|mainiota|ymmärrän|selvä|selvä juttu|asia selvä|okei|se oli siinä|siinä kaikki|siinä oli kaikki|ei kiitos|ei se mitään|kyllä|joo|ei|kiva|hyvä tietää',
    about:
      'kuka olet|kuka sinä olet|kuka sä oot|mikä olet|mikä sinä olet|mikä tämä on|mitä osaat|mitä sinä osaat|mitä osaat tehdä|mitä voit tehdä|mitä teet|mitä voin kysyä|mitä voin kysyä sinulta|missä voit auttaa|missä voit auttaa minua|miten voit auttaa|miten voit auttaa minua|voitko auttaa|voitko auttaa minua|apua|auta|auta minua|tarvitsen apua|oletko robotti|oletko sinä robotti|oletko botti|oletko ihminen|mikä sinun nimesi on|mikä nimesi on|miten toimit|miten tämä toimii|minulla on kysymys|saanko kysyä|voinko kysyä jotain',
    farewell:
      'näkemiin|hei hei|moi moi|heihei|moimoi|nähdään|kuulemiin|hyvää päivänjatkoa|hyvää illanjatkoa|hyvää viikonloppua|hyvää yötä|öitä|pidä huolta|hyvästi|ensi kertaan',
    also: 'kaikille|kaikki|avusta|avustasi|kaikesta|vastauksesta|tiedosta|ja|sitten|ole hyvä|ole kiltti|taas|siellä|paljon|oikein|tosi|no|sulle|sinulle',
  },
  tr: {
    greeting:
      'merhaba|merhabalar|selam|selamlar|günaydın|iyi günler|iyi akşamlar|tünaydın|selamün aleyküm|aleyküm selam|alo|nasılsın|nasılsınız|naber|ne haber|ne var ne yok|nasıl gidiyor|kimse var mı|orada mısın|memnun oldum|mutlu yıllar|kolay gelsin|iyi misin|keyifler nasıl|herkese merhaba|hayırlı işler',
    thanks:
      'teşekkürler|teşekkür ederim|çok teşekkürler|çok teşekkür ederim|sağ ol|sağol|sağ olun|sağolun|çok sağ ol|eyvallah|minnettarım|yardımcı oldu|çok yardımcı oldu|işe yaradı|çok yararlı|harika|süper|mükemmel|güzel|çok güzel|çok iyi|iyi|tamam|tamamdır|anladım|anlaşıldı|peki|bu kadar|hepsi bu|hayır teşekkürler|boş ver|önemli değil|evet|hayır|olur|şimdiden teşekkürler|çok naziksiniz|çok yardımcı oldun|çok yardımcı oldunuz|çok sağ olun',
    about:
      'sen kimsin|kimsin|siz kimsiniz|kimsiniz|nesin|sen nesin|bu nedir|bu ne|ne yapabilirsin|neler yapabilirsin|ne yapabilirsiniz|ne yapıyorsun|ne sorabilirim|sana ne sorabilirim|bana nasıl yardımcı olabilirsin|bana nasıl yardım edebilirsin|nasıl yardımcı olabilirsin|hangi konularda yardımcı olabilirsin|bana yardım edebilir misin|yardım edebilir misin|yardımcı olabilir misiniz|bana yardım eder misin|yardım|yardım et|yardıma ihtiyacım var|robot musun|sen robot musun|bot musun|insan mısın|sen insan mısın|yapay zeka mısın|adın ne|adın nedir|senin adın ne|nasıl çalışıyorsun|bu nasıl çalışıyor|bir sorum var|sorum var|bir şey sorabilir miyim|soru sorabilir miyim|yardımcı olabilir misin|yardım eder misiniz|gerçek bir insan mısın|gerçek misin|robot musunuz|insan mısınız',
    farewell:
      'güle güle|hoşça kal|hoşçakal|hoşça kalın|hoşçakalın|görüşürüz|görüşmek üzere|kendine iyi bak|iyi geceler|iyi hafta sonları|iyi çalışmalar|bay bay|elveda|allaha ısmarladık',
    also: 'herkese|millet|arkadaşlar|yardımın için|yardımınız için|yardımlarınız için|her şey için|cevap için|bilgi için|ve|o zaman|lütfen|tekrar|yine|çok|size|sana|bugün|hocam|yoksa insan mı|yoksa insan mısın|yoksa robot mu|şimdiden',
  },
  ru: {
    greeting:
      'привет|приветик|здравствуйте|здравствуй|здрасте|добрый день|доброе утро|добрый вечер|доброго времени суток|алло|хай|как дела|как ты|как вы|как поживаешь|как поживаете|как жизнь|что нового|приятно познакомиться|есть кто|есть кто нибудь|ты тут|ты здесь|вы тут|вы здесь|с новым годом|с рождеством',
    thanks:
      'спасибо|спасибо большое|большое спасибо|огромное спасибо|спасибо огромное|благодарю|благодарю вас|спс|очень благодарен|очень благодарна|это помогло|помогло|очень полезно|отлично|супер|прекрасно|замечательно|здорово|класс|круто|хорошо|очень хорошо|понятно|понял|поняла|ясно|ладно|окей|ок|договорились|это всё|это все|всё|все|нет спасибо|неважно|не важно|да|нет|буду знать|заранее спасибо|спасибо заранее|заранее благодарю|очень любезно',
    about:
      'кто ты|ты кто|кто вы|вы кто|что ты такое|что это|что это такое|что ты умеешь|что вы умеете|что ты можешь|что вы можете|что умеешь|что ты делаешь|о чём можно спросить|о чем можно спросить|что можно спросить|что я могу спросить|чем ты можешь помочь|чем вы можете помочь|чем можешь помочь|чем можете помочь|чем ты можешь мне помочь|чем вы можете мне помочь|как ты можешь помочь|ты можешь помочь|можешь помочь|можете помочь|вы можете помочь|помоги мне|помоги|помогите|помогите мне|помощь|мне нужна помощь|нужна помощь|ты робот|вы робот|ты бот|вы бот|ты человек|вы человек|ты живой|ты настоящий|как тебя зовут|как вас зовут|как ты работаешь|как это работает|у меня вопрос|у меня есть вопрос|есть вопрос|можно вопрос|можно спросить|можно задать вопрос',
    farewell:
      'пока|пока пока|до свидания|до встречи|до завтра|до скорого|увидимся|всего доброго|всего хорошего|всего наилучшего|хорошего дня|хорошего вечера|хороших выходных|спокойной ночи|доброй ночи|прощай|прощайте|счастливо',
    also: 'всем|вам|тебе|за помощь|за вашу помощь|за ответ|за информацию|за всё|за все|и|тогда|пожалуйста|ещё раз|еще раз|снова|очень|а|ну|друзья|коллеги|у вас|у тебя|большое|ребята|или человек|или робот|или живой человек|заранее',
  },
  uk: {
    greeting:
      'привіт|вітаю|здрастуйте|доброго дня|добрий день|доброго ранку|добрий ранок|доброго вечора|добрий вечір|день добрий|алло|агов|як справи|як ти|як ви|як ся маєш|як життя|що нового|приємно познайомитися|є хтось|ти тут|ви тут|з новим роком|з різдвом',
    thanks:
      'дякую|дуже дякую|щиро дякую|красно дякую|велике спасибі|дякую щиро|спасибі|вдячний|вдячна|дуже вдячний|дуже вдячна|це допомогло|допомогло|дуже корисно|чудово|супер|прекрасно|відмінно|класно|круто|добре|дуже добре|зрозуміло|зрозумів|зрозуміла|ясно|гаразд|окей|ок|це все|ні дякую|неважливо|так|ні|буду знати',
    about:
      'хто ти|ти хто|хто ви|ви хто|що ти таке|що це|що це таке|що ти вмієш|що ви вмієте|що вмієш|що ти можеш|що ви можете|що ти робиш|про що можна запитати|що я можу запитати|чим ти можеш допомогти|чим ви можете допомогти|чим можеш допомогти|чим можете допомогти|як ти можеш допомогти|ти можеш допомогти|можеш допомогти|можете допомогти|допоможи мені|допоможи|допоможіть|допоможіть мені|допомога|потрібна допомога|мені потрібна допомога|ти робот|ви робот|ти бот|ви бот|ти людина|ви людина|ти справжній|як тебе звати|як вас звати|як ти працюєш|як це працює|у мене питання|у мене є питання|маю питання|можна запитати|можна питання',
    farewell:
      'бувай|бувайте|до побачення|до зустрічі|до завтра|побачимось|побачимося|на все добре|всього найкращого|всього доброго|гарного дня|гарного вечора|гарних вихідних|на добраніч|добраніч|прощавай|щасливо|па па|папа',
    also: 'всім|вам|тобі|за допомогу|за вашу допомогу|за відповідь|за інформацію|за все|і|й|та|тоді|будь ласка|ще раз|знову|дуже|а|ну|друзі|колеги|у вас|у тебе|чи людина|чи робот|чи жива людина|заздалегідь',
  },
  el: {
    greeting:
      'γεια|γεια σου|γεια σας|γειά|γειά σου|γειά σας|καλημέρα|καλησπέρα|καλό απόγευμα|χαίρετε|χαίρομαι|τι κάνεις|τι κάνετε|πώς είσαι|πώς είστε|πως είσαι|πως είστε|πώς πάει|τι νέα|είναι κανείς εκεί|είσαι εκεί|χάρηκα|καλά χριστούγεννα|καλή χρονιά',
    thanks:
      'ευχαριστώ|ευχαριστώ πολύ|ευχαριστώ πάρα πολύ|σε ευχαριστώ|σας ευχαριστώ|σ ευχαριστώ|πολλές ευχαριστίες|να σαι καλά|να είστε καλά|βοήθησε|με βοήθησε|πολύ χρήσιμο|τέλεια|τέλειο|υπέροχα|θαυμάσια|εξαιρετικά|ωραία|πολύ ωραία|καλά|πολύ καλά|κατάλαβα|εντάξει|μάλιστα|σύμφωνοι|αυτό είναι όλο|αυτά|όχι ευχαριστώ|δεν πειράζει|ναι|όχι',
    about:
      'ποιος είσαι|ποια είσαι|ποιος είστε|ποιοι είστε|τι είσαι|τι είναι αυτό|τι μπορείς να κάνεις|τι μπορείτε να κάνετε|τι κάνεις εσύ|τι μπορώ να ρωτήσω|τι μπορώ να σε ρωτήσω|σε τι μπορείς να βοηθήσεις|σε τι μπορείς να με βοηθήσεις|πώς μπορείς να με βοηθήσεις|πώς μπορείτε να με βοηθήσετε|μπορείς να με βοηθήσεις|μπορείτε να με βοηθήσετε|βοήθεια|βοήθησέ με|χρειάζομαι βοήθεια|είσαι ρομπότ|είστε ρομπότ|είσαι bot|είσαι άνθρωπος|είστε άνθρωπος|πώς σε λένε|πώς σας λένε|πως σε λένε|πώς λειτουργείς|πώς λειτουργεί|έχω μια ερώτηση|μπορώ να ρωτήσω κάτι',
    farewell:
      'αντίο|τα λέμε|θα τα πούμε|εις το επανιδείν|καλή συνέχεια|καλή μέρα|καληνύχτα|καλό βράδυ|καλό σαββατοκύριακο|γεια χαρά|να προσέχεις',
    also: 'σε όλους|όλους|για τη βοήθεια|για την βοήθεια|για τη βοήθειά σας|για όλα|για την απάντηση|και|λοιπόν|παρακαλώ|πάλι|ξανά|πολύ|εσύ|εσείς|σας|σου',
  },
  ar: {
    greeting:
      'مرحبا|مرحبًا|أهلا|أهلًا|أهلين|اهلا وسهلا|أهلا وسهلا|هلا|هاي|السلام عليكم|السلام عليكم ورحمة الله|السلام عليكم ورحمة الله وبركاته|وعليكم السلام|صباح الخير|صباح النور|مساء الخير|مساء النور|كيف حالك|كيف الحال|كيفك|شلونك|كيف حالكم|ازيك|إزيك|عامل ايه|هل يوجد أحد|في حدا|هل أنت هنا|تشرفنا|كل عام وأنتم بخير',
    thanks:
      'شكرا|شكرًا|شكرا جزيلا|شكرًا جزيلًا|شكرا لك|شكرا لكم|شكرا كثيرا|ألف شكر|مشكور|مشكورين|يسلمو|تسلم|جزاك الله خيرا|الله يعطيك العافية|يعطيك العافية|ممتن لك|هذا مفيد|مفيد جدا|هذا ساعدني|ساعدني ذلك|رائع|ممتاز|جميل|جيد|جيد جدا|حسنا|حسنًا|تمام|طيب|ماشي|فهمت|مفهوم|واضح|هذا كل شيء|هذا كل شي|لا شكرا|لا يهم|نعم|لا|اي|أيوه|عظيم',
    about:
      'من أنت|من انت|من أنتم|مين انت|مين إنت|ما أنت|ما هذا|شو هذا|ماذا تفعل|ماذا تستطيع أن تفعل|ماذا يمكنك أن تفعل|ماذا يمكنك ان تفعل|شو بتقدر تعمل|ماذا تعرف|عن ماذا يمكنني أن أسأل|ماذا يمكنني أن أسألك|بماذا يمكنك مساعدتي|بماذا يمكنك أن تساعدني|كيف يمكنك مساعدتي|كيف تساعدني|كيف يمكنك أن تساعدني|هل يمكنك مساعدتي|هل تستطيع مساعدتي|ممكن تساعدني|ممكن مساعدة|مساعدة|ساعدني|أحتاج مساعدة|أحتاج إلى مساعدة|هل أنت روبوت|هل انت روبوت|أنت روبوت|هل أنت إنسان|هل انت انسان|هل أنت بشر|هل أنت حقيقي|ما اسمك|شو اسمك|كيف تعمل|كيف يعمل هذا|عندي سؤال|لدي سؤال|ممكن سؤال|هل يمكنني أن أسأل',
    farewell:
      'مع السلامة|وداعا|وداعًا|إلى اللقاء|الى اللقاء|باي|في أمان الله|أراك لاحقا|أراك قريبا|نراكم لاحقا|تصبح على خير|تصبحون على خير|يومك سعيد|نهارك سعيد|أتمنى لك يوما سعيدا|سلامات',
    also: 'بكم|بك|لك|لكم|جميعا|للجميع|على المساعدة|على مساعدتك|على الرد|على كل شيء|على الإجابة|و|ثم|من فضلك|لو سمحت|مرة أخرى|جدا|كثيرا|جزيلا|يا|أخي|اليوم|كثير|والله|أنت|انت',
  },
  he: {
    greeting:
      'שלום|היי|הי|אהלן|הלו|בוקר טוב|צהריים טובים|אחר צהריים טובים|ערב טוב|מה שלומך|מה שלומכם|מה נשמע|מה קורה|מה המצב|מה העניינים|יש שם מישהו|יש מישהו|אתה שם|את שם|נעים להכיר|שנה טובה|חג שמח|שבת שלום|מה איתך|הכול טוב|הכל טוב',
    thanks:
      'תודה|תודה רבה|תודה לך|תודה לכם|המון תודה|רב תודות|תודה רבה לך|אני מודה לך|זה עזר|עזרת לי|זה עוזר|מאוד מועיל|מצוין|מעולה|נהדר|אחלה|יופי|סבבה|מושלם|טוב|טוב מאוד|בסדר|הבנתי|מובן|ברור|זה הכל|זה הכול|לא תודה|לא משנה|כן|לא|טוב לדעת|בסדר גמור|תודה מראש|אלוף|מעולה תודה|עזרת לי מאוד',
    about:
      'מי אתה|מי את|מי אתם|מה אתה|מה את|מה זה|מה אתה יודע לעשות|מה אתה יכול לעשות|מה את יכולה לעשות|מה אתה עושה|מה אפשר לשאול|מה אני יכול לשאול|מה אני יכולה לשאול|במה אתה יכול לעזור|במה אתה יכול לעזור לי|איך אתה יכול לעזור|איך אתה יכול לעזור לי|אתה יכול לעזור לי|אפשר עזרה|תוכל לעזור לי|עזרה|תעזור לי|אני צריך עזרה|אני צריכה עזרה|אתה רובוט|האם אתה רובוט|את רובוט|אתה בוט|אתה בן אדם|אתה אמיתי|מה השם שלך|איך קוראים לך|מה שמך|איך אתה עובד|איך זה עובד|יש לי שאלה|אפשר לשאול|אפשר לשאול משהו|אפשר שאלה|את בן אדם|אתה בן אדם אמיתי|את בת אדם|אתה מכונה|אתה אנושי|את יכולה לעזור לי',
    farewell:
      'להתראות|ביי|ביי ביי|שלום ולהתראות|נתראה|לילה טוב|יום טוב|המשך יום טוב|יום נעים|ערב נעים|סוף שבוע נעים|שיהיה יום טוב|כל טוב|שמור על עצמך|היה שלום',
    also: 'לכולם|כולם|על העזרה|על הכל|על הכול|על התשובה|על המידע|ו|אז|בבקשה|שוב|עוד פעם|מאוד|לך|לכם|חברים|רבה|צוות|היום|או בן אדם|או אדם|או רובוט|או בן אדם אמיתי|מראש',
  },
  fa: {
    greeting:
      'سلام|سلام علیکم|درود|درود بر شما|صبح بخیر|صبح به خیر|ظهر بخیر|عصر بخیر|شب خوش|وقت بخیر|وقتتون بخیر|روز بخیر|الو|حال شما چطور است|حالت چطوره|حالتون چطوره|حال شما|چطوری|چطورید|خوبی|خوبین|خوب هستید|چه خبر|کسی هست|کسی اونجا هست|خوشبختم|سال نو مبارک|خسته نباشید|خسته نباشی|سلام خسته نباشید|احوال شما',
    thanks:
      'ممنون|ممنونم|متشکرم|مرسی|سپاس|سپاسگزارم|تشکر|با تشکر|خیلی ممنون|خیلی ممنونم|بسیار ممنون|بسیار متشکرم|بسیار سپاسگزارم|یک دنیا ممنون|دستت درد نکنه|دست شما درد نکند|دستتون درد نکنه|لطف کردید|کمک کرد|خیلی مفید بود|مفید بود|عالی|عالیه|عالی بود|خوبه|خوب|بسیار خوب|خیلی خوب|باشه|فهمیدم|متوجه شدم|درسته|همین|همین بود|نه ممنون|مهم نیست|بله|آره|نه|حله|اوکی|از کمکتون|از کمکتان|از کمک شما|خیلی ممنون از کمکتون|دمت گرم|پیشاپیش ممنون|پیشاپیش سپاسگزارم|زنده باشید',
    about:
      'تو کی هستی|شما کی هستید|شما کی هستین|تو کیستی|شما کیستید|کی هستی|تو چی هستی|این چیست|این چیه|چه کاری می توانی انجام دهی|چه کار می توانی بکنی|چه کاری می‌توانی انجام دهی|چه کار میتونی بکنی|چیکار میتونی بکنی|چه کاری از دستت برمیاد|چه کار می کنی|چه چیزی می توانم بپرسم|چی میتونم بپرسم|چه کمکی می توانی بکنی|چه کمکی میتونی بکنی|چطور می توانی کمک کنی|چطور میتونی کمکم کنی|می توانی کمک کنی|میتونی کمکم کنی|می توانید کمکم کنید|می‌توانید کمکم کنید|میشه کمکم کنید|کمک|کمکم کن|کمک کن|کمک می خواهم|کمک میخوام|تو ربات هستی|آیا تو ربات هستی|شما ربات هستید|ربات هستی|رباتی|آدمی|انسانی|تو انسان هستی|اسمت چیه|اسم شما چیست|نام تو چیست|چطور کار می کنی|این چطور کار می کند|سوال دارم|یک سوال دارم|یه سوال دارم|سؤال دارم|می توانم سوالی بپرسم|می توانی کمکم کنی|میتوانی کمکم کنی|می تونی کمکم کنی|میتوانید کمکم کنید|میتوانید کمک کنید|تو آدمی|آدم هستی|رباتی یا آدم|تو رباتی یا آدم',
    farewell:
      'خداحافظ|خدافظ|خدا نگهدار|خدانگهدار|بای|به امید دیدار|فعلا|فعلاً|تا بعد|می بینمت|می‌بینمت|روز خوش|روز خوبی داشته باشید|روز خوبی داشته باشی|شب بخیر|شب به خیر|مراقب خودت باش|بدرود',
    also: 'به همه|همگی|دوستان|عزیز|از شما|از کمک شما|بابت کمک|برای کمک|از کمکت|از راهنمایی شما|از پاسخ شما|و|پس|لطفا|لطفاً|دوباره|خیلی|بسیار|شما|تو|هم',
  },
  hi: {
    greeting:
      'नमस्ते|नमस्कार|हैलो|हेलो|हाय|राम राम|प्रणाम|सुप्रभात|शुभ प्रभात|शुभ दोपहर|शुभ संध्या|कैसे हो|कैसे हैं|आप कैसे हैं|तुम कैसे हो|कैसे हैं आप|क्या हाल है|क्या हाल चाल|कोई है|कोई है क्या|क्या आप वहाँ हैं|आपसे मिलकर खुशी हुई|नया साल मुबारक|namaste|namaskar|kaise ho|aap kaise hain',
    thanks:
      'धन्यवाद|शुक्रिया|बहुत धन्यवाद|बहुत बहुत धन्यवाद|आपका धन्यवाद|आपका बहुत धन्यवाद|बहुत शुक्रिया|बहुत बहुत शुक्रिया|थैंक्स|थैंक यू|आभार|आभारी हूँ|मदद मिली|इससे मदद मिली|बहुत उपयोगी|बढ़िया|बहुत बढ़िया|शानदार|अच्छा|बहुत अच्छा|ठीक|ठीक है|समझ गया|समझ गई|समझ आया|बस इतना ही|बस|नहीं धन्यवाद|कोई बात नहीं|हाँ|हां|जी हाँ|नहीं|सही है|dhanyavad|shukriya',
    about:
      'आप कौन हैं|तुम कौन हो|आप कौन हो|तू कौन है|आप क्या हैं|तुम क्या हो|यह क्या है|ये क्या है|आप क्या कर सकते हैं|तुम क्या कर सकते हो|आप क्या कर सकती हैं|आप क्या करते हैं|मैं क्या पूछ सकता हूँ|मैं आपसे क्या पूछ सकता हूँ|मैं क्या पूछ सकती हूँ|आप मेरी क्या मदद कर सकते हैं|आप मेरी कैसे मदद कर सकते हैं|आप किसमें मदद कर सकते हैं|क्या आप मेरी मदद कर सकते हैं|क्या तुम मेरी मदद कर सकते हो|मेरी मदद करो|मेरी मदद करें|मेरी मदद कीजिए|मदद|मदद करो|मदद चाहिए|मुझे मदद चाहिए|क्या आप रोबोट हैं|क्या तुम रोबोट हो|आप रोबोट हैं|क्या आप बॉट हैं|क्या आप इंसान हैं|क्या तुम इंसान हो|आपका नाम क्या है|तुम्हारा नाम क्या है|आप कैसे काम करते हैं|यह कैसे काम करता है|मेरा एक सवाल है|एक सवाल है|मुझे एक सवाल पूछना है|क्या मैं कुछ पूछ सकता हूँ',
    farewell:
      'अलविदा|बाय|बाय बाय|टाटा|फिर मिलेंगे|फिर मिलते हैं|बाद में मिलते हैं|शुभ रात्रि|शुभ दिन|आपका दिन शुभ हो|ध्यान रखना|अपना ख्याल रखना|चलता हूँ',
    also: 'सबको|सभी को|जी|मदद के लिए|आपकी मदद के लिए|सहायता के लिए|जवाब के लिए|जानकारी के लिए|सब कुछ के लिए|और|तो|फिर|कृपया|फिर से|बहुत|आपका|आप|भाई|दोस्त|आज',
  },
  th: {
    greeting:
      'สวัสดี|หวัดดี|ดี|ฮัลโหล|ฮาย|สวัสดีตอนเช้า|อรุณสวัสดิ์|สวัสดีตอนบ่าย|สวัสดีตอนเย็น|สบายดีไหม|สบายดีมั้ย|เป็นอย่างไรบ้าง|เป็นไงบ้าง|เป็นยังไงบ้าง|มีใครอยู่ไหม|อยู่ไหม|ยินดีที่ได้รู้จัก|สวัสดีปีใหม่',
    thanks:
      'ขอบคุณ|ขอบใจ|ขอบคุณมาก|ขอบคุณมากๆ|ขอบพระคุณ|ขอบพระคุณมาก|ขอบคุณที่ช่วย|ขอบคุณสำหรับความช่วยเหลือ|ช่วยได้มาก|มีประโยชน์มาก|เยี่ยม|เยี่ยมมาก|ยอดเยี่ยม|ดีมาก|เข้าใจแล้ว|เข้าใจ|โอเค|ได้เลย|รับทราบ|แค่นี้|เท่านี้|หมดแล้ว|ไม่เป็นไร|ใช่|ไม่|ตกลง|สุดยอด',
    about:
      'คุณคือใคร|คุณเป็นใคร|เธอคือใคร|เธอเป็นใคร|คุณคืออะไร|นี่คืออะไร|คุณทำอะไรได้|คุณทำอะไรได้บ้าง|ทำอะไรได้บ้าง|ถามอะไรได้บ้าง|ฉันถามอะไรได้บ้าง|คุณช่วยอะไรได้บ้าง|คุณช่วยอะไรฉันได้บ้าง|ช่วยอะไรได้บ้าง|ช่วยฉันได้ไหม|ช่วยหน่อยได้ไหม|คุณช่วยฉันได้ไหม|ช่วยด้วย|ช่วยหน่อย|ต้องการความช่วยเหลือ|คุณเป็นหุ่นยนต์ไหม|คุณเป็นหุ่นยนต์หรือเปล่า|คุณเป็นบอทไหม|คุณเป็นบอทหรือเปล่า|คุณเป็นคนไหม|คุณเป็นคนหรือเปล่า|คุณเป็นมนุษย์ไหม|คุณชื่ออะไร|ชื่ออะไร|คุณทำงานอย่างไร|มีคำถาม|ขอถามหน่อย|ขอถามได้ไหม|ถามได้ไหม',
    farewell:
      'ลาก่อน|บาย|บ๊ายบาย|บายบาย|แล้วเจอกัน|แล้วพบกันใหม่|เจอกันใหม่|ไว้เจอกัน|พบกันใหม่|ราตรีสวัสดิ์|ฝันดี|โชคดี|ขอให้เป็นวันที่ดี|ไปก่อนนะ',
    also: 'ครับ|ค่ะ|คะ|นะ|นะคะ|นะครับ|จ้า|จ้ะ|จ๊ะ|ทุกคน|ทุกท่าน|มาก|มากๆ|ๆ|ด้วย|แล้ว|เลย|และ|อีกครั้ง|สำหรับทุกอย่าง|สำหรับคำตอบ|สำหรับข้อมูล|แอดมิน',
  },
  vi: {
    greeting:
      'xin chào|chào|chào bạn|chào anh|chào chị|chào em|chào mọi người|alo|chào buổi sáng|chào buổi chiều|chào buổi tối|bạn khỏe không|bạn có khỏe không|khỏe không|bạn thế nào|có ai không|có ai ở đó không|bạn có ở đó không|rất vui được gặp bạn|hân hạnh|chúc mừng năm mới',
    thanks:
      'cảm ơn|cám ơn|cảm ơn bạn|cám ơn bạn|cảm ơn nhiều|cám ơn nhiều|cảm ơn bạn nhiều|cảm ơn rất nhiều|xin cảm ơn|xin cám ơn|chân thành cảm ơn|cảm ơn anh|cảm ơn chị|giúp ích nhiều|rất hữu ích|hữu ích lắm|tuyệt|tuyệt vời|tốt|tốt lắm|rất tốt|hay quá|hiểu rồi|tôi hiểu rồi|đã hiểu|được rồi|vâng|dạ|vậy thôi|thế thôi|chỉ vậy thôi|không cảm ơn|không sao|có|không|ổn|đúng rồi',
    about:
      'bạn là ai|anh là ai|chị là ai|mày là ai|bạn là gì|đây là gì|cái này là gì|bạn làm được gì|bạn có thể làm gì|bạn làm gì|tôi có thể hỏi gì|tôi có thể hỏi bạn gì|bạn có thể giúp gì|bạn có thể giúp gì cho tôi|bạn có thể giúp tôi điều gì|bạn giúp được gì|bạn có thể giúp tôi không|bạn giúp tôi được không|giúp tôi với|giúp tôi|giúp với|trợ giúp|tôi cần giúp đỡ|tôi cần trợ giúp|bạn là robot à|bạn là robot phải không|bạn có phải là robot không|bạn có phải robot không|bạn là bot à|bạn là người hay máy|bạn có phải là người không|bạn tên gì|bạn tên là gì|tên bạn là gì|bạn hoạt động như thế nào|tôi có câu hỏi|tôi có một câu hỏi|cho tôi hỏi|cho mình hỏi|tôi hỏi được không',
    farewell:
      'tạm biệt|bái bai|bai|hẹn gặp lại|gặp lại sau|hẹn gặp lại bạn|chúc ngủ ngon|chúc một ngày tốt lành|chúc bạn một ngày tốt lành|chúc bạn một ngày vui vẻ|chúc cuối tuần vui vẻ|bảo trọng|đi nhé',
    also: 'nhé|nha|ạ|à|nhiều|rất|lắm|mọi người|các bạn|bạn|anh|chị|em|ad|admin|đã giúp|đã giúp đỡ|vì đã giúp|vì đã giúp đỡ|vì tất cả|và|vậy|lại|một lần nữa|hôm nay|hay là người|hay người|hay robot|hay con người',
  },
  id: {
    greeting:
      'halo|hai|hei|hallo|helo|selamat pagi|selamat siang|selamat sore|selamat malam|pagi|siang|sore|malam|assalamualaikum|apa kabar|apa kabarmu|bagaimana kabarmu|bagaimana kabar anda|gimana kabarnya|ada orang|ada orang di sana|permisi|salam kenal|senang bertemu dengan anda|selamat tahun baru|halo halo|bagaimana kabarnya|apa kabar hari ini',
    thanks:
      'terima kasih|terimakasih|makasih|makasi|trims|terima kasih banyak|makasih banyak|banyak terima kasih|thanks ya|sangat membantu|itu membantu|membantu sekali|bermanfaat|bagus|bagus sekali|hebat|mantap|keren|luar biasa|sempurna|baik|baiklah|baik sekali|oke|mengerti|saya mengerti|paham|saya paham|jelas|itu saja|sudah cukup|cukup|tidak terima kasih|tidak apa apa|ya|iya|tidak|sip|siap|terima kasih sebelumnya|makasih sebelumnya|terima kasih banyak sebelumnya',
    about:
      'siapa kamu|siapa anda|kamu siapa|anda siapa|kamu apa|apa ini|ini apa|apa yang bisa kamu lakukan|apa yang bisa anda lakukan|kamu bisa apa|bisa apa saja|kamu bisa apa saja|apa yang kamu lakukan|apa yang bisa saya tanyakan|saya bisa tanya apa|apa yang bisa kamu bantu|apa yang bisa anda bantu|bagaimana kamu bisa membantu saya|bagaimana anda bisa membantu saya|bisakah kamu membantu saya|bisakah anda membantu saya|bisa bantu saya|bisa bantu|bantu saya|bantuan|tolong|tolong bantu saya|tolong saya|saya butuh bantuan|apakah kamu robot|apakah anda robot|kamu robot|apakah kamu bot|kamu bot|apakah kamu manusia|apakah anda manusia|siapa namamu|siapa nama anda|nama kamu siapa|bagaimana cara kerjamu|bagaimana cara kerjanya|saya punya pertanyaan|saya ada pertanyaan|boleh tanya|boleh bertanya|mau tanya|saya mau tanya|kamu robot atau manusia|apakah kamu robot atau manusia|kamu manusia|kamu orang beneran',
    farewell:
      'sampai jumpa|sampai nanti|sampai jumpa lagi|sampai besok|selamat tinggal|dadah|dah|bye|selamat tidur|selamat beristirahat|semoga harimu menyenangkan|selamat berakhir pekan|hati hati|selamat jalan',
    also: 'semua|semuanya|ya|banyak|sekali|atas bantuannya|atas bantuanmu|atas bantuan anda|untuk semuanya|atas jawabannya|atas informasinya|dan|lagi|kalau begitu|kak|min|admin|pak|bu|kamu|anda|dong|dulu|nih|atau manusia|atau robot|atau orang|sebelumnya',
  },
  zh: {
    greeting:
      '你好|您好|你好啊|你好呀|您好啊|哈喽|哈啰|嗨|嘿|喂|大家好|早上好|早安|早|上午好|中午好|下午好|晚上好|你好吗|您好吗|最近好吗|最近怎么样|最近怎麼樣|在吗|在嗎|有人吗|有人嗎|有人在吗|有人在嗎|你在吗|你在嗎|很高兴认识你|很高興認識你|新年快乐|新年快樂|圣诞快乐',
    thanks:
      '谢谢|謝謝|谢谢你|謝謝你|谢谢您|謝謝您|多谢|多謝|感谢|感謝|非常感谢|非常感謝|十分感谢|太感谢了|太谢谢了|谢啦|谢了|辛苦了|有帮助|很有帮助|很有幫助|帮了大忙|太好了|太棒了|很好|非常好|不错|好|好的|好吧|好啊|行|可以|明白|明白了|知道了|了解|了解了|懂了|清楚了|收到|没事了|沒事了|没问题|没了|就这些|就這些|不用了|不用谢|算了|是|是的|对|对的|嗯|嗯嗯|哦|哈哈|棒|厉害|真好',
    about:
      '你是谁|你是誰|您是谁|你是什么|你是什麼|这是什么|這是什麼|你能做什么|你能做什麼|你会做什么|你会什么|你會什麼|你可以做什么|你可以做什麼|你能干什么|你能干嘛|我可以问什么|我能问什么|我可以問什麼|我能问你什么|你能帮我什么|你能幫我什麼|你能帮我做什么|你可以帮我什么|你能帮助我吗|你能帮我吗|你可以帮我吗|能帮我吗|可以帮我吗|帮帮我|帮我|帮助|幫助|求助|救命|我需要帮助|我需要幫助|你是机器人吗|你是機器人嗎|你是机器人|你是人吗|你是真人吗|你是真人嗎|你是人工智能吗|你是ai吗|是真人吗|你叫什么|你叫什麼|你叫什么名字|你叫什麼名字|你怎么工作|怎么用|我有一个问题|我有个问题|我有問題|有个问题|请问一下|可以问个问题吗|我想问一下|可以問問題嗎',
    farewell:
      '再见|再見|拜拜|拜|回见|回头见|回頭見|明天见|明天見|下次见|下次見|晚安|祝你愉快|祝您愉快|祝你有美好的一天|周末愉快|週末愉快|保重|先这样|就这样|就這樣|后会有期',
    also: '啊|呀|啦|了|哦|吧|呢|哈|噢|的|大家|各位|朋友|你|您|非常|真的|很|帮忙|的帮助|你的帮助|您的帮助|您的回答|你的回答|请问|又|再次|那|先|吗',
  },
  ja: {
    greeting:
      'こんにちは|こんにちわ|こんばんは|おはよう|おはようございます|やあ|ハロー|もしもし|どうも|はじめまして|初めまして|お世話になります|お世話になっております|いつもお世話になっております|お疲れ様です|お疲れさまです|元気|元気ですか|お元気ですか|調子はどう|調子はどうですか|誰かいますか|いますか|よろしくお願いします|よろしくお願いいたします|よろしく|宜しくお願いします|あけましておめでとうございます|明けましておめでとうございます',
    thanks:
      'ありがとう|ありがとうございます|ありがとうございました|有難うございます|有り難うございます|有難うございました|どうもありがとう|どうもありがとうございます|どうもありがとうございました|本当にありがとうございます|本当にありがとう|誠にありがとうございます|感謝します|感謝いたします|サンキュー|助かりました|助かります|助かった|とても助かりました|大変助かりました|参考になりました|役に立ちました|よかった|良かった|素晴らしい|すばらしい|すごい|最高|完璧|いいね|いいですね|なるほど|分かりました|わかりました|わかった|分かった|了解|了解です|了解しました|承知しました|承知いたしました|かしこまりました|大丈夫|大丈夫です|結構です|以上です|もういいです|はい|いいえ|うん|オッケー|そうですか|そうですね|ご苦労さま|ご苦労様|お疲れさま|お手数をおかけしました|よく分かりました|よくわかりました',
    about:
      'あなたは誰|あなたは誰ですか|あなたはだれですか|誰|誰ですか|君は誰|あなたは何|あなたは何ですか|これは何|これは何ですか|何ができる|何ができますか|何ができるの|あなたは何ができますか|何をしてくれますか|何を聞けますか|何を聞けばいい|何を質問できますか|何を聞いてもいいですか|何を手伝ってくれますか|何を手伝えますか|手伝ってくれますか|手伝ってください|助けて|助けてください|助けてくれますか|ヘルプ|ロボット|ロボットですか|あなたはロボットですか|ボットですか|人間ですか|あなたは人間ですか|aiですか|あなたはaiですか|お名前は|名前は|名前は何ですか|お名前は何ですか|あなたの名前は|あなたの名前は何ですか|どうやって使うの|使い方を教えて|使い方を教えてください|質問があります|質問してもいいですか|質問いいですか|聞いてもいいですか|ロボットですか人間ですか|ロボットですか それとも人間ですか|本物の人ですか|中の人はいますか|手伝ってもらえますか',
    farewell:
      'さようなら|さよなら|バイバイ|ではまた|じゃあまた|じゃあね|じゃね|またね|また明日|また今度|またあとで|それでは|では|失礼します|失礼いたします|おやすみ|おやすみなさい|お元気で|良い一日を|よい一日を|良い週末を|よい週末を',
    also: 'です|ます|ね|よ|よね|な|か|さん|皆さん|みなさん|とても|本当に|すごく|大変|早速|教えてくれて|教えていただき|お答えいただき|ご回答|ご対応|助けてくれて|また|あの|えっと|すみません|お手伝いいただき|ください',
  },
  ko: {
    greeting:
      '안녕|안녕하세요|안녕하십니까|안녕하신가요|반갑습니다|반가워|반가워요|만나서 반가워요|만나서 반갑습니다|여보세요|하이|헬로|좋은 아침|좋은 아침입니다|좋은 아침이에요|좋은 오후|좋은 저녁|좋은 저녁이에요|잘 지내|잘 지내요|잘 지내세요|잘 지내셨어요|어떻게 지내|어떻게 지내세요|누구 있어요|누구 계세요|누구 없나요|계세요|수고하세요|수고하십니다|수고 많으십니다|새해 복 많이 받으세요|잘 지내시죠|잘 지내시나요|좋은 하루예요|ㅎㅇ|하이루',
    thanks:
      '고마워|고마워요|고맙습니다|감사|감사해요|감사합니다|정말 감사합니다|대단히 감사합니다|정말 고마워요|정말 고맙습니다|너무 감사합니다|감사드립니다|감사했습니다|땡큐|도움이 됐어요|도움이 되었어요|도움이 되었습니다|도움이 됐습니다|큰 도움이 됐어요|큰 도움이 되었습니다|유용해요|좋아|좋아요|좋습니다|좋네요|아주 좋아요|훌륭해요|완벽해요|최고|최고예요|멋져요|대박|알겠어|알겠어요|알겠습니다|이해했어요|이해했습니다|그렇군요|네|예|응|아니|아니요|아니오|오케이|됐어요|됐습니다|괜찮아요|괜찮습니다|그게 다예요|이상입니다|확인했습니다|ㄱㅅ|ㄳ|ㅎㅎ|ㅎㅎㅎ|ㅋㅋ|ㅋㅋㅋ|ㅋㅋㅋㅋ|도움이 많이 됐어요|친절하시네요|미리 감사합니다',
    about:
      '누구세요|누구야|넌 누구야|너는 누구야|너 누구야|당신은 누구세요|당신은 누구입니까|당신은 누구인가요|넌 뭐야|너는 뭐야|이게 뭐야|이게 뭐예요|이것은 무엇인가요|뭐 할 수 있어|뭘 할 수 있어|무엇을 할 수 있어|무엇을 할 수 있나요|무엇을 할 수 있어요|무엇을 도와줄 수 있나요|무엇을 도와줄 수 있어요|뭘 도와줄 수 있어|뭘 물어볼 수 있어|무엇을 물어볼 수 있나요|어떻게 도와줄 수 있나요|도와줄 수 있어|도와줄 수 있어요|도와줄 수 있나요|도와주세요|도와줘|도움|도움말|도움이 필요해요|도움이 필요합니다|로봇이야|로봇이세요|로봇인가요|너 로봇이야|당신은 로봇인가요|봇인가요|챗봇인가요|사람이야|사람이세요|사람인가요|인간인가요|당신은 사람인가요|ai야|ai인가요|이름이 뭐야|이름이 뭐예요|이름이 무엇인가요|어떻게 작동해|어떻게 작동하나요|질문 있어요|질문이 있어요|질문이 있습니다|질문 있습니다|질문해도 돼요|질문해도 될까요|물어봐도 돼요|뭐 좀 물어볼게요',
    farewell:
      '안녕히 계세요|안녕히 가세요|잘 가|잘 가요|잘 있어|잘 있어요|바이|바이바이|또 봐|또 봐요|다음에 봐요|다음에 봐|나중에 봐요|나중에 봐|내일 봐요|내일 봐|또 만나요|다음에 또 올게요|잘 자|잘 자요|안녕히 주무세요|좋은 하루 보내세요|좋은 하루 되세요|좋은 주말 보내세요|좋은 저녁 보내세요|그럼 이만|들어가세요',
    also: '여러분|모두|정말|진짜|너무|아주|많이|도와주셔서|도와줘서|알려줘서|알려주셔서|답변|답변해 주셔서|친절한 답변|그럼|그리고|다시|또|님|선생님|요|오늘도|도움|도움을 주셔서|아니면 사람이에요|아니면 사람인가요|사람이에요|로봇이에요|미리',
  },
  ro: {
    greeting:
      'bună|salut|salutare|bună ziua|bună dimineața|bună seara|neața|hei|alo|ce faci|ce mai faci|ce mai faceți|cum ești|cum sunteți|cum merge|e cineva|ești acolo|îmi pare bine|crăciun fericit|la mulți ani',
    thanks:
      'mulțumesc|mersi|mulțumim|mulțumesc mult|mulțumesc frumos|mii de mulțumiri|vă mulțumesc|îți mulțumesc|m a ajutat|a fost de ajutor|foarte util|super|perfect|excelent|minunat|grozav|bine|foarte bine|am înțeles|înțeleg|de acord|în regulă|asta e tot|atât|nu mulțumesc|nu contează|da|nu',
    about:
      'cine ești|cine ești tu|cine sunteți|ce ești|ce e asta|ce poți face|ce puteți face|ce știi să faci|ce pot să te întreb|ce pot să întreb|cu ce mă poți ajuta|cu ce mă puteți ajuta|cum mă poți ajuta|mă poți ajuta|mă puteți ajuta|poți să mă ajuți|ajutor|ajută mă|am nevoie de ajutor|ești robot|ești un robot|ești bot|ești om|ești o persoană|cum te cheamă|cum te numești|cum funcționezi|cum funcționează|am o întrebare|pot să întreb ceva',
    farewell:
      'la revedere|pa|pa pa|pe curând|ne vedem|ne auzim|pe mâine|o zi bună|o zi frumoasă|noapte bună|o seară bună|weekend plăcut|adio|numai bine',
    also: 'tuturor|la toți|pentru ajutor|pentru tot|pentru răspuns|pentru informații|și|atunci|te rog|vă rog|din nou|iar|mult|foarte|tare|domnule|doamnă',
  },
  hu: {
    greeting:
      'szia|sziasztok|helló|hello|szervusz|szervusztok|üdv|üdvözlöm|üdvözlet|jó napot|jó napot kívánok|jó reggelt|jó estét|jó reggelt kívánok|jó estét kívánok|csá|hogy vagy|hogy van|hogy vagytok|mi újság|mizu|van itt valaki|itt vagy|örülök|boldog karácsonyt|boldog új évet',
    thanks:
      'köszönöm|köszi|kösz|köszönöm szépen|nagyon köszönöm|köszönjük|hálás vagyok|hálásan köszönöm|nagyon szépen köszönöm|segített|ez segített|sokat segített|nagyon hasznos|szuper|remek|nagyszerű|kiváló|tökéletes|jó|nagyon jó|rendben|oké|értem|világos|ennyi|ennyi volt|ez minden|nem köszönöm|mindegy|nem baj|igen|nem',
    about:
      'ki vagy|ki vagy te|te ki vagy|kicsoda vagy|kicsoda ön|mi vagy|mi ez|mit tudsz|mit tudsz csinálni|mire vagy képes|mit csinálsz|mit kérdezhetek|mit kérdezhetek tőled|miben tudsz segíteni|miben segíthetsz|hogyan tudsz segíteni|tudsz segíteni|tudnál segíteni|tudna segíteni|segítség|segíts|segíts nekem|segítségre van szükségem|robot vagy|te robot vagy|bot vagy|ember vagy|te ember vagy|mi a neved|hogy hívnak|hogyan működsz|hogy működik|van egy kérdésem|kérdezhetek|kérdezhetek valamit',
    farewell:
      'viszlát|viszontlátásra|szia szia|pá|pápá|minden jót|további szép napot|szép napot|jó éjszakát|jó éjt|szép estét|jó hétvégét|később találkozunk|holnap találkozunk',
    also: 'mindenkinek|a segítséget|a segítségedet|a választ|mindent|az információt|és|akkor|kérem|légy szíves|újra|megint|nagyon|szépen|önnek|neked|hát',
  },
  bg: {
    greeting:
      'здравей|здравейте|здрасти|привет|добър ден|добро утро|добър вечер|как си|как сте|как е|какво става|има ли някой|тук ли си|приятно ми е|честита нова година|весела коледа',
    thanks:
      'благодаря|благодаря ти|благодаря ви|много благодаря|благодаря много|мерси|мерси много|сполай|това помогна|много полезно|чудесно|супер|отлично|прекрасно|страхотно|добре|много добре|разбрах|разбирам|ясно|окей|това е всичко|това беше|не благодаря|няма значение|да|не',
    about:
      'кой си|кой си ти|кои сте|кой сте вие|какво си|какво е това|какво можеш|какво можеш да правиш|какво умееш|какво мога да питам|какво мога да те питам|с какво можеш да ми помогнеш|с какво можете да ми помогнете|как можеш да ми помогнеш|можеш ли да ми помогнеш|можете ли да ми помогнете|помощ|помогни ми|помогнете ми|имам нужда от помощ|робот ли си|ти робот ли си|бот ли си|човек ли си|как се казваш|как работиш|как работи това|имам въпрос|може ли да попитам',
    farewell:
      'довиждане|чао|до скоро|до утре|до нови срещи|ще се видим|приятен ден|хубав ден|лека нощ|лека вечер|приятна вечер|приятен уикенд|всичко хубаво|сбогом',
    also: 'на всички|всички|за помощта|за всичко|за отговора|за информацията|и|тогава|моля|отново|пак|много|ти|ви|вас',
  },
};
