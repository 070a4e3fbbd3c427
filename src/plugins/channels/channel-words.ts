/** What the bot says by itself. */
export interface ChannelWords {
  readonly paused: string;
  readonly spent: string;
  readonly tooFast: string;
  readonly failed: string;
  readonly empty: string;
  readonly page: string;
}

const words = (
  paused: string,
  spent: string,
  tooFast: string,
  failed: string,
  empty: string,
  page: string,
): ChannelWords => ({ paused, spent, tooFast, failed, empty, page });

const ENGLISH = words(
  'I am taking a break and answer nothing right now. Please ask again later.',
  'I have answered all the questions that I may answer today. Please ask again tomorrow.',
  'That was a lot of questions at once. Please wait a minute.',
  'I could not answer that right now. Please ask again.',
  'Write your question behind my name, and I will answer it in this thread.',
  'page {}',
);

const LANGUAGES: ReadonlyMap<string, ChannelWords> = new Map([
  ['en', ENGLISH],
  [
    'de',
    words(
      'Ich mache gerade Pause und antworte nicht. Bitte fragen Sie später noch einmal.',
      'Für heute habe ich alle Fragen beantwortet, die ich beantworten darf. Bitte fragen Sie morgen wieder.',
      'Das waren viele Fragen auf einmal. Bitte warten Sie eine Minute.',
      'Das konnte ich gerade nicht beantworten. Bitte fragen Sie noch einmal.',
      'Schreiben Sie Ihre Frage hinter meinen Namen, dann antworte ich in diesem Thread.',
      'Seite {}',
    ),
  ],
  [
    'fr',
    words(
      'Je fais une pause et ne réponds pas pour le moment. Reposez votre question plus tard.',
      'J’ai répondu à toutes les questions autorisées pour aujourd’hui. Revenez demain.',
      'Cela fait beaucoup de questions d’un coup. Patientez une minute.',
      'Je n’ai pas pu répondre. Reposez votre question.',
      'Écrivez votre question après mon nom, et je répondrai dans ce fil.',
      'page {}',
    ),
  ],
  [
    'es',
    words(
      'Estoy en pausa y ahora no respondo. Vuelva a preguntar más tarde.',
      'Ya he respondido todas las preguntas permitidas por hoy. Vuelva a preguntar mañana.',
      'Son muchas preguntas a la vez. Espere un minuto.',
      'No he podido responder. Vuelva a preguntar.',
      'Escriba su pregunta detrás de mi nombre y responderé en este hilo.',
      'página {}',
    ),
  ],
  [
    'it',
    words(
      'Sono in pausa e ora non rispondo. Chieda di nuovo più tardi.',
      'Ho risposto a tutte le domande consentite per oggi. Chieda di nuovo domani.',
      'Sono molte domande in una volta. Attenda un minuto.',
      'Non ho potuto rispondere. Chieda di nuovo.',
      'Scriva la domanda dopo il mio nome e risponderò in questo thread.',
      'pagina {}',
    ),
  ],
  [
    'pt',
    words(
      'Estou em pausa e agora não respondo. Pergunte de novo mais tarde.',
      'Já respondi a todas as perguntas permitidas por hoje. Pergunte de novo amanhã.',
      'São muitas perguntas de uma vez. Aguarde um minuto.',
      'Não consegui responder. Pergunte de novo.',
      'Escreva a sua pergunta depois do meu nome e respondo neste tópico.',
      'página {}',
    ),
  ],
  [
    'nl',
    words(
      'Ik heb pauze en antwoord nu niet. Stel uw vraag later opnieuw.',
      'Ik heb alle vragen beantwoord die ik vandaag mag beantwoorden. Stel uw vraag morgen opnieuw.',
      'Dat waren veel vragen tegelijk. Wacht een minuut.',
      'Dat kon ik nu niet beantwoorden. Stel uw vraag opnieuw.',
      'Schrijf uw vraag achter mijn naam, dan antwoord ik in deze thread.',
      'pagina {}',
    ),
  ],
  [
    'pl',
    words(
      'Mam przerwę i teraz nie odpowiadam. Proszę zapytać później.',
      'Na dziś to już wszystkie dozwolone odpowiedzi. Proszę zapytać jutro.',
      'To dużo pytań naraz. Proszę poczekać minutę.',
      'Nie udało się odpowiedzieć. Proszę zapytać ponownie.',
      'Proszę napisać pytanie po mojej nazwie, a odpowiem w tym wątku.',
      'strona {}',
    ),
  ],
  [
    'tr',
    words(
      'Şu anda ara verdim ve yanıt vermiyorum. Lütfen daha sonra sorun.',
      'Bugün için izin verilen tüm soruları yanıtladım. Lütfen yarın sorun.',
      'Bir anda çok soru oldu. Lütfen bir dakika bekleyin.',
      'Şu anda yanıtlayamadım. Lütfen yeniden sorun.',
      'Sorunuzu adımdan sonra yazın, bu ileti dizisinde yanıtlayayım.',
      'sayfa {}',
    ),
  ],
  [
    'ja',
    words(
      'ただいま休止中のため、お答えできません。後ほどお尋ねください。',
      '本日お答えできる質問はすべて終了しました。明日またお尋ねください。',
      '質問が続いています。1 分お待ちください。',
      'ただいまお答えできませんでした。もう一度お尋ねください。',
      '私の名前の後に質問をお書きください。このスレッドでお答えします。',
      '{} ページ',
    ),
  ],
  [
    'zh',
    words(
      '我正在暂停，现在不回答问题。请稍后再问。',
      '今天允许回答的问题已经答完，请明天再问。',
      '提问太快了，请等一分钟。',
      '刚才没能回答，请再问一次。',
      '请在我的名字后面写下问题，我会在此消息列中回答。',
      '第 {} 页',
    ),
  ],
  [
    'ar',
    words(
      'أنا متوقف مؤقتاً ولا أجيب الآن. اسأل لاحقاً من فضلك.',
      'أجبت عن كل الأسئلة المسموح بها اليوم. اسأل غداً من فضلك.',
      'أسئلة كثيرة دفعة واحدة. انتظر دقيقة من فضلك.',
      'لم أستطع الإجابة الآن. اسأل مرة أخرى من فضلك.',
      'اكتب سؤالك بعد اسمي وسأجيب في سلسلة الرسائل هذه.',
      'صفحة {}',
    ),
  ],
]);

/** @param language as detectQuestionLanguage has it; English for others */
export const findWords = (language: string | undefined): ChannelWords =>
  LANGUAGES.get(language ?? '') ?? ENGLISH;
