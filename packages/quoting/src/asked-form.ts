import { questionLanguage } from '@latchkey/text/language/question-language';
import { CURRENCY } from './currencies.js';

/** How a price is asked for and nothing else, by language; a word may have another ending. */
const ASKS_PRICE: Readonly<Record<string, string>> = {
  ar: 'كم سعر|كم ثمن|كم تكلف|كم يكلف|ما سعر',
  cs: 'kolik stojí',
  da: 'hvad koster|hvor meget koster',
  de: 'was kostet|was kosten|wie teuer|wie viel kostet|wieviel kostet|wie viel kosten',
  en: "(?:how much (?:does|do|is|are|would|will)|what (?:does|do|would|will)) (?!(?:i|we|you) )[^?,]{1,60}?(?<! (?:the|a|an|at|of|to|no|any|this|that)) cost(?= *(?:[?.,;!]|$)| (?:a|an|per|for|to|in|if|each|me|us)(?!\\p{L}))|(?:what is|what’s|what's) the price of",
  es: 'cuánto cuesta|cuánto cuestan|cuánto vale',
  fa: 'قیمت .{1,40} چقدر|چند است قیمت',
  fr: 'combien coûte|combien coûtent',
  he: 'כמה עולה|כמה עולים|מה המחיר',
  id: 'berapa harga|berapa biaya',
  it: 'quanto costa|quanto costano',
  ja: '(?:値段|料金|価格)はいくら',
  ko: '(?:가격|요금|비용)[은이]? ?얼마|(?:에|당) 얼마(?:인|예|에요|입)',
  nl: 'hoeveel kost|wat kost|wat kosten|hoeveel kosten',
  pl: 'ile kosztuj',
  pt: 'quanto custa|quanto custam',
  ro: 'cât costă',
  ru: 'сколько стоит|сколько стоят',
  sv: 'vad kostar|hur mycket kostar',
  th: 'ราคาเท่า(?:ไหร่|ไร|ใด)',
  tr: '(?:fiyatı|ücreti) (?:nedir|ne kadar)|kaç lira|kaça mal',
  uk: 'скільки коштує|скільки коштують',
  vi: 'giá bao nhiêu|giá là bao nhiêu|bao nhiêu tiền',
  zh: '多少钱|多少錢',
};
/** Shares of a price, lists of prices, and what is said of money, such as that nothing is to be paid. */
const MONEY = new RegExp(
  [
    '[%％]|\\p{Nd}[,.:][-–—]',
    // A cell that is a number: lists of prices name the currency once, above all tables.
    '(?:^|\\|) *\\p{Nd}[\\p{Nd}.,]* *(?:\\||$)',
    '(?<!\\p{L})(?:per ?cent|pro[cz]ent|pour cent|por ciento|por cento|per cento|persen|процент|відсот|yüzde|phần trăm)',
    '(?<!\\p{L})(?:free|complimentary|no charge|includ|inclu[sis]|gratis|gratuit|grátis|frei(?!\\p{L})|unentgeltlich|enthalten|inkl|inbegriff|compris|compres[aoie]|darmow|zdarma|v ceně|ingår|безкошт|безоплат|бесплат|вільн|входит|включ|ücretsiz|bedava|dahil|ingyen|ilmai|maksut|miễn phí|cuma-cuma|termasuk|wliczon)',
    '(?<!\\p{L})(?:cost|price|fee|charge|paid|pays?|kost|preis|gebühr|bezahl|prix|coût|tarif|pay[eé]|preci[oa]|cuest|pag[aou]|prezz|preço|cust[ae]|prijs|betaal|cen[aęyi]|koszt|płac|bezpłat|opłat|cena|ceny|pris|цен[аыу]|цін[аиу]|стои|коштує|платит|ücret|fiyat|harga|biaya|giá|preț)',
    'חינם|תשלום|מחיר|قیمت|مجان|رایگان|سعر|무료|요금|비용|가격|유료|포함|無料|料金|費用|価格|有料|含まれ|無償|免费|免費|费用|收费|ฟรี|ราคา|δωρεάν',
  ].join('|'),
  'imu',
);

/** How a telephone number is asked for, in forms that do not also ask about one. */
const ASKS_TELEPHONE: Readonly<Record<string, string>> = {
  de: 'wie (?:lautet|ist) (?:\\p{L}+ )?telefonnummer',
  en: "what(?: is|['’]s) (?:the|your|their) (?:telephone|phone|mobile) number(?= of|\\?|$)",
  es: 'cuál es (?:el|su) número de teléfono',
  fr: 'quel est (?:le|votre|leur|son) numéro de téléphone',
  it: 'qual è il numero di telefono',
  ja: '電話番号は(?:何番|[？?]|$)|電話番号を教えて',
  ko: '전화번호(?:는|가) ?(?:무엇|뭐|몇|어떻게 되)',
  nl: 'wat is (?:\\p{L}+ )?telefoonnummer',
  pl: 'jaki jest numer telefonu',
  pt: 'qual é o número de telefone',
  tr: 'telefon numarası (?:nedir|kaç)',
  uk: 'який номер телефону (?!\\p{L}*т[иь](?!\\p{L})|(?:треба|потрібно|слід|можна|я|ви|ми|мені)(?!\\p{L}))',
  zh: '(?:电话号码|電話號碼)是(?:多少|什么|什麼)',
};
/** Also 112, if that is no amount. */
const TELEPHONE = new RegExp(
  `\\p{Nd}[\\p{Nd} ()./–-]{3,20}\\p{Nd}|(?<![\\p{Nd}.,])\\p{Nd}{3,4}(?![\\p{Nd}]| ?(?:${CURRENCY.source}|%))`,
  'u',
);

/**
 * Whether a question asks for a price or a telephone number, and a text says nothing of money or has no
 * such number: nothing that it says of the same thing answers then.
 *
 * @param text what would be quoted, with what stands around it
 */
export function lacksAskedForm(question: string, text: string): boolean {
  const language = questionLanguage(question) ?? '';
  const [asked, read] = [question.normalize('NFC'), text.normalize('NFC')];
  const asks = (forms: Readonly<Record<string, string>>) =>
    forms[language] !== undefined && new RegExp(`(?:${forms[language]})`, 'iu').test(asked);
  return (
    (asks(ASKS_PRICE) && !CURRENCY.test(read) && !MONEY.test(read)) ||
    (asks(ASKS_TELEPHONE) && !TELEPHONE.test(read))
  );
}
