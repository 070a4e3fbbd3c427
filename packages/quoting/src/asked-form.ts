import { questionLanguage } from '@latchkey/text/language/question-language';

interface Form {
  /** What asks for it, by language; a word may have another ending. */
  readonly asks: Readonly<Record<string, string>>;
  /** What an answer must have. */
  readonly has: RegExp;
}

/** Signs and names of currencies, shares of a price, and what says that something costs nothing. */
const PRICE = new RegExp(
  [
    '[\\p{Sc}%％円元块원]',
    // A cell that is a number: lists of prices name the currency once, above all tables.
    '(?:^|\\|) *\\p{Nd}[\\p{Nd}.,]* *(?:\\||$)',
    '(?<!\\p{L})(?:EUR|USD|GBP|CHF|PLN|CZK|HUF|RON|UAH|SEK|NOK|DKK|JPY|CNY|KRW|INR|THB|BRL|TRY|TL|ILS|NIS|IDR|Rp|VND|AED|SAR|EGP|IRR|RUB|AUD|CAD|zł|gr|kč|ft|kr|lei|leu|rs|fr|грн|руб|лв|дин)(?!\\p{L})',
    '(?<!\\p{L})(?:euro|євро|евро|ευρώ|dollar|dólar|dolar|долар|доллар|pound|pence|penn|cent|franc|frank|lira|liret|złot|grosz|korun|kron|forint|рубл|грив|rupiah|rupee|peso|reais|dirham|shekel|đồng)',
    '(?<!\\p{L})(?:free|gratis|gratuit|grátis|kosten(?:los|frei)|unentgeltlich|bezpłat|darmow|zdarma|bezplat|безкошт|безоплат|бесплат|вільн|ücretsiz|bedava|ingyen|ilmai|maksut|miễn phí|cuma-cuma|inclu|inklus|inbegriff|compris|wliczon|входить)',
    'ש["״”]ח|שקל|חינם|ללא תשלום|ریال|تومان|ريال|درهم|دينار|جنيه|ليرة|مجان|رایگان|무료|無料|無償|免费|免費|บาท|ฟรี|रुपय|টাকা|δωρεάν',
  ].join('|'),
  'imu',
);
const FORMS: readonly Form[] = [
  {
    asks: {
      ar: 'كم سعر|كم ثمن|كم تكلف|كم يكلف|ما سعر',
      cs: 'kolik stojí|jaká je cena',
      da: 'hvad koster|hvor meget koster',
      de: 'was kostet|was kosten|wie teuer|wie viel kostet|wieviel kostet|wie viel kosten',
      en: "how much (?:does|do|is|are|would|will) [^?]{1,60}? cost|what (?:does|do|would|will) [^?]{1,60}? cost|(?:what is|what’s|what's) the price",
      es: 'cuánto cuesta|cuánto cuestan|cuánto vale',
      fa: 'قیمت .{1,40} چقدر|چند است قیمت',
      fr: 'combien coûte|combien coûtent|quel est le prix',
      he: 'כמה עולה|כמה עולים|מה המחיר',
      id: 'berapa harga|berapa biaya',
      it: 'quanto costa|quanto costano',
      ja: '値段は|価格はいくら',
      ko: '얼마인가요|얼마예요|얼마에요|가격은|가격이',
      nl: 'hoeveel kost|wat kost|wat kosten|hoeveel kosten',
      pl: 'ile kosztuj',
      pt: 'quanto custa|quanto custam',
      ro: 'cât costă',
      ru: 'сколько стоит|сколько стоят',
      sv: 'vad kostar|hur mycket kostar',
      th: 'ราคาเท่า|ราคากี่',
      tr: 'fiyatı ne|ücreti ne|kaç lira|kaça mal',
      uk: 'скільки коштує|скільки коштують',
      vi: 'giá bao nhiêu|giá là bao nhiêu|bao nhiêu tiền',
      zh: '多少钱|多少錢|价格是',
    },
    has: PRICE,
  },
  {
    asks: {
      ar: 'رقم هاتف|رقم الهاتف|رقم الجوال',
      cs: 'telefonní číslo',
      da: 'telefonnummer',
      de: 'telefonnummer|handynummer',
      en: 'phone number|telephone number|mobile number',
      es: 'número de teléfono',
      fa: 'شماره تلفن|شماره‌ی تلفن',
      fr: 'numéro de téléphone',
      he: 'מספר הטלפון|מספר טלפון',
      id: 'nomor telepon',
      it: 'numero di telefono',
      ja: '電話番号',
      ko: '전화번호',
      nl: 'telefoonnummer',
      no: 'telefonnummer',
      pl: 'numer telefonu',
      pt: 'número de telefone|telefone do|telefone da',
      ru: 'номер телефона',
      sv: 'telefonnummer',
      tr: 'telefon numarası',
      uk: 'номер телефону',
      vi: 'số điện thoại',
      zh: '电话号码|電話號碼',
    },
    has: /\p{Nd}[\p{Nd} ()./–-]{3,20}\p{Nd}|(?<!\p{L})(?:ext|extension|int|interno|Durchwahl|poste|doorkies|wew|dahili|内線|내선)/iu,
  },
];

/**
 * Whether a question asks for a price or a telephone number, and a text has none: nothing that it says of the
 * same thing answers then.
 *
 * @param text what would be quoted, with what stands around it
 */
export function lacksAskedForm(question: string, text: string): boolean {
  const language = questionLanguage(question);
  return FORMS.some(({ asks, has }) => {
    const words = asks[language ?? ''];
    return (
      words !== undefined &&
      new RegExp(`(?:${words})`, 'iu').test(question.normalize('NFC')) &&
      !has.test(text.normalize('NFC'))
    );
  });
}
