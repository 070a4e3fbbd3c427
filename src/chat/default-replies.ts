/** The service's own replies, used if a knowledge base does not set its own. */
export interface DefaultReplies {
  /** The reply if the documents do not contain the answer. */
  readonly refusal: string;
  /** `{name}` is that of the knowledge base. */
  readonly greeting: string;
  /** `{titles}` are those of some of its documents. */
  readonly topics: string;
  readonly thanks: string;
  readonly farewell: string;
}

const replies = (
  refusal: string,
  greeting: string,
  topics: string,
  thanks: string,
  farewell: string,
): DefaultReplies => ({ refusal, greeting, topics, thanks, farewell });

export const ENGLISH = replies(
  'I could not find anything about this in the knowledge base.',
  'Hello! I answer questions from the documents of “{name}”.',
  'They are about: {titles}.',
  'You are welcome!',
  'Goodbye!',
);

/** The replies by language; the languages are those of small-talk-phrases.ts. */
export const DEFAULT_REPLIES: ReadonlyMap<string, DefaultReplies> = new Map([
  ['en', ENGLISH],
  [
    'de',
    replies(
      'Dazu habe ich in der Wissensdatenbank nichts gefunden.',
      'Hallo! Ich beantworte Fragen aus den Dokumenten von „{name}“.',
      'Darin geht es um: {titles}.',
      'Gern geschehen!',
      'Auf Wiedersehen!',
    ),
  ],
  [
    'fr',
    replies(
      'Je n’ai rien trouvé à ce sujet dans la base de connaissances.',
      'Bonjour ! Je réponds aux questions à partir des documents de « {name} ».',
      'Ils portent sur : {titles}.',
      'Je vous en prie !',
      'Au revoir !',
    ),
  ],
  [
    'es',
    replies(
      'No he encontrado nada sobre esto en la base de conocimientos.',
      '¡Hola! Respondo preguntas a partir de los documentos de «{name}».',
      'Tratan de: {titles}.',
      '¡De nada!',
      '¡Hasta luego!',
    ),
  ],
  [
    'it',
    replies(
      'Non ho trovato nulla su questo argomento nella base di conoscenza.',
      'Ciao! Rispondo alle domande in base ai documenti di «{name}».',
      'Trattano di: {titles}.',
      'Prego!',
      'Arrivederci!',
    ),
  ],
  [
    'pt',
    replies(
      'Não encontrei nada sobre isto na base de conhecimento.',
      'Olá! Respondo a perguntas a partir dos documentos de “{name}”.',
      'Tratam de: {titles}.',
      'De nada!',
      'Até logo!',
    ),
  ],
  [
    'nl',
    replies(
      'Hierover heb ik niets gevonden in de kennisbank.',
      'Hallo! Ik beantwoord vragen op basis van de documenten van ‘{name}’.',
      'Ze gaan over: {titles}.',
      'Graag gedaan!',
      'Tot ziens!',
    ),
  ],
  [
    'pl',
    replies(
      'Nie znalazłem nic na ten temat w bazie wiedzy.',
      'Dzień dobry! Odpowiadam na pytania na podstawie dokumentów „{name}”.',
      'Dotyczą one: {titles}.',
      'Nie ma za co!',
      'Do widzenia!',
    ),
  ],
  [
    'cs',
    replies(
      'K tomu jsem ve znalostní bázi nic nenašel.',
      'Dobrý den! Odpovídám na otázky z dokumentů „{name}“.',
      'Jsou o tomto: {titles}.',
      'Rádo se stalo!',
      'Na shledanou!',
    ),
  ],
  [
    'sv',
    replies(
      'Jag hittade inget om detta i kunskapsbasen.',
      'Hej! Jag svarar på frågor utifrån dokumenten i ”{name}”.',
      'De handlar om: {titles}.',
      'Varsågod!',
      'Hej då!',
    ),
  ],
  [
    'da',
    replies(
      'Jeg fandt ikke noget om dette i vidensbasen.',
      'Hej! Jeg besvarer spørgsmål ud fra dokumenterne i »{name}«.',
      'De handler om: {titles}.',
      'Selv tak!',
      'Farvel!',
    ),
  ],
  [
    'no',
    replies(
      'Jeg fant ikke noe om dette i kunnskapsbasen.',
      'Hei! Jeg svarer på spørsmål ut fra dokumentene i «{name}».',
      'De handler om: {titles}.',
      'Bare hyggelig!',
      'Ha det!',
    ),
  ],
  [
    'fi',
    replies(
      'En löytänyt tästä mitään tietokannasta.',
      'Hei! Vastaan kysymyksiin kokoelman ”{name}” asiakirjojen perusteella.',
      'Niiden aiheita ovat: {titles}.',
      'Ole hyvä!',
      'Näkemiin!',
    ),
  ],
  [
    'tr',
    replies(
      'Bilgi tabanında bununla ilgili bir şey bulamadım.',
      'Merhaba! “{name}” belgelerine dayanarak soruları yanıtlıyorum.',
      'Konuları: {titles}.',
      'Rica ederim!',
      'Hoşça kalın!',
    ),
  ],
  [
    'ru',
    replies(
      'В базе знаний я ничего об этом не нашёл.',
      'Здравствуйте! Я отвечаю на вопросы по документам «{name}».',
      'Они о следующем: {titles}.',
      'Пожалуйста!',
      'До свидания!',
    ),
  ],
  [
    'uk',
    replies(
      'У базі знань я нічого про це не знайшов.',
      'Вітаю! Я відповідаю на запитання за документами «{name}».',
      'Вони про таке: {titles}.',
      'Будь ласка!',
      'До побачення!',
    ),
  ],
  [
    'bg',
    replies(
      'Не намерих нищо за това в базата знания.',
      'Здравейте! Отговарям на въпроси по документите на „{name}“.',
      'Те са за: {titles}.',
      'Моля!',
      'Довиждане!',
    ),
  ],
  [
    'ro',
    replies(
      'Nu am găsit nimic despre acest lucru în baza de cunoștințe.',
      'Bună ziua! Răspund la întrebări pe baza documentelor din „{name}”.',
      'Ele sunt despre: {titles}.',
      'Cu plăcere!',
      'La revedere!',
    ),
  ],
  [
    'hu',
    replies(
      'Erről semmit sem találtam a tudásbázisban.',
      'Üdvözlöm! A(z) „{name}” dokumentumai alapján válaszolok kérdésekre.',
      'Ezekről szólnak: {titles}.',
      'Szívesen!',
      'Viszontlátásra!',
    ),
  ],
  [
    'el',
    replies(
      'Δεν βρήκα κάτι σχετικό στη βάση γνώσεων.',
      'Γεια σας! Απαντώ σε ερωτήσεις με βάση τα έγγραφα «{name}».',
      'Αφορούν: {titles}.',
      'Παρακαλώ!',
      'Αντίο!',
    ),
  ],
  [
    'ar',
    replies(
      'لم أجد شيئًا عن هذا في قاعدة المعرفة.',
      'مرحبًا! أجيب عن الأسئلة من مستندات «{name}».',
      'وهي تتناول: {titles}.',
      'على الرحب والسعة!',
      'مع السلامة!',
    ),
  ],
  [
    'he',
    replies(
      'לא מצאתי על כך דבר במאגר הידע.',
      'שלום! אני עונה על שאלות מתוך המסמכים של „{name}”.',
      'הם עוסקים ב: {titles}.',
      'בבקשה!',
      'להתראות!',
    ),
  ],
  [
    'fa',
    replies(
      'در پایگاه دانش چیزی دربارهٔ این پیدا نکردم.',
      'سلام! من از روی اسناد «{name}» به پرسش‌ها پاسخ می‌دهم.',
      'موضوع آن‌ها: {titles}.',
      'خواهش می‌کنم!',
      'خداحافظ!',
    ),
  ],
  [
    'hi',
    replies(
      'मुझे ज्ञानकोष में इसके बारे में कुछ नहीं मिला।',
      'नमस्ते! मैं “{name}” के दस्तावेज़ों के आधार पर प्रश्नों के उत्तर देता हूँ।',
      'उनके विषय हैं: {titles}।',
      'आपका स्वागत है!',
      'फिर मिलेंगे!',
    ),
  ],
  [
    'th',
    replies(
      'ไม่พบข้อมูลเกี่ยวกับเรื่องนี้ในฐานความรู้',
      'สวัสดี! ฉันตอบคำถามจากเอกสารของ “{name}”',
      'เอกสารเกี่ยวกับ: {titles}',
      'ด้วยความยินดี!',
      'ลาก่อน!',
    ),
  ],
  [
    'vi',
    replies(
      'Tôi không tìm thấy gì về điều này trong cơ sở tri thức.',
      'Xin chào! Tôi trả lời câu hỏi dựa trên các tài liệu của “{name}”.',
      'Chúng nói về: {titles}.',
      'Không có gì!',
      'Tạm biệt!',
    ),
  ],
  [
    'id',
    replies(
      'Saya tidak menemukan apa pun tentang hal ini di basis pengetahuan.',
      'Halo! Saya menjawab pertanyaan dari dokumen “{name}”.',
      'Isinya tentang: {titles}.',
      'Sama-sama!',
      'Sampai jumpa!',
    ),
  ],
  [
    'zh',
    replies(
      '知识库中没有找到与此相关的内容。',
      '您好！我根据“{name}”的文档回答问题。',
      '这些文档涉及：{titles}。',
      '不客气！',
      '再见！',
    ),
  ],
  [
    'ja',
    replies(
      'これに関する情報はナレッジベースに見つかりませんでした。',
      'こんにちは。「{name}」の文書に基づいてご質問にお答えします。',
      '文書の内容：{titles}。',
      'どういたしまして。',
      'さようなら。',
    ),
  ],
  [
    'ko',
    replies(
      '지식 베이스에서 이에 관한 내용을 찾지 못했습니다.',
      '안녕하세요! “{name}” 문서를 바탕으로 질문에 답합니다.',
      '문서의 주제: {titles}.',
      '천만에요!',
      '안녕히 가세요!',
    ),
  ],
]);
