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
/** What is said of prices. */
const PRICE_WORDS =
  '(?<!\\p{L})(?:cost|price|fee|charge|paid|pays?|kost|preis|gebühr|bezahl|prix|coût|tarif|pay[eé]|preci[oa]|cuest|pag[aou]|prezz|preço|cust[ae]|prijs|betaal|cen[aęyi]|koszt|płac|bezpłat|opłat|cena|ceny|pris|цен[аыу]|цін[аиу]|стои|коштує|платит|ücret|fiyat|harga|biaya|giá|preț)|תשלום|מחיר|قیمت|سعر|요금|비용|가격|유료|料金|費用|価格|有料|费用|收费|价格|ราคา';
const PRICE = new RegExp(PRICE_WORDS, 'iu');
/** Shares of a price, and what is said of money, such as that nothing is to be paid. */
const MONEY = new RegExp(
  [
    PRICE_WORDS,
    '[%％]|\\p{Nd}[,.:][-–—]',
    '(?<!\\p{L})(?:per ?cent|pro[cz]ent|pour cent|por ciento|por cento|per cento|persen|процент|відсот|yüzde|phần trăm)',
    '(?<!\\p{L})(?:free|complimentary|no charge|includ|inclu[sis]|gratis|gratuit|grátis|frei(?!\\p{L})|unentgeltlich|enthalten|inkl|inbegriff|compris|compres[aoie]|darmow|zdarma|v ceně|ingår|безкошт|безоплат|бесплат|вільн|входит|включ|ücretsiz|bedava|dahil|ingyen|ilmai|maksut|miễn phí|cuma-cuma|termasuk|wliczon)',
    'חינם|مجان|رایگان|무료|포함|無料|含まれ|無償|免费|免費|ฟรี|δωρεάν',
  ].join('|'),
  'iu',
);
/** A number alone, in a table. */
const NUMBER_CELL = /(?:^|\|) *\p{Nd}[\p{Nd}.,]* *(?:\||$)/mu;

/** How a weight or a share is asked for, and what tells one. */
const ASKS_WEIGHT: Readonly<Record<string, string>> = {
  cs: 'kolik váží|jak těžk',
  da: 'hvor tung|hvad vejer|hvor meget vejer',
  de: 'wie schwer (?:ist|sind|darf|dürfen|kann|wird|wiegt)|wie viel wieg|wieviel wieg|was wiegt|was wiegen',
  en: 'how heavy (?:is|are|may|can|must) (?!(?:the )?(?:traffic|rain|load|use))|how much (?:does|do) [^?,]{1,60} weigh(?!\\p{L})|what (?:does|do) [^?,]{1,60} weigh(?!\\p{L})',
  es: 'cuánto pesa',
  fr: 'combien pèse',
  it: 'quanto pesa',
  ja: '重さはどのくらい|重さはどれくらい|重さは何|何キログラム|何kg',
  ko: '무게[는가] ?(?:얼마|몇)|몇 ?(?:킬로그램|kg)',
  nl: 'hoe zwaar (?:is|zijn|mag|mogen|kan)|hoeveel weeg|wat weeg',
  pl: 'ile waż',
  pt: 'quanto pesa',
  ru: 'сколько вес[ия]т',
  sv: 'hur tung|hur mycket väger|vad väger',
  tr: 'kaç kilo(?!m)|kaç kg|ağırlığı (?:ne kadar|nedir|kaç)',
  uk: 'скільки важ',
  zh: '多重|多少公斤|多少千克',
};
const WEIGHT =
  /(?<!\p{L})(?:kgs?|kilo(?:s|gram\p{L}*|w|a)?|g|gr|grams?|gramm|grammes?|gramos?|grammi|gramas?|lbs?|oz|ounces?|pounds?|stones?|tonn?e?s?|tonnellat\p{L}|tonelad\p{L}+|ton|кг|кіло|кило|кіло\p{L}+|кило\p{L}+|г|грам\p{L}*|тонн\p{L}*)(?!\p{L})|\p{Nd} ?t(?!\p{L})|[㎏公]斤|千克|克|キロ|グラム|トン|킬로|그램/iu;
const ASKS_SHARE: Readonly<Record<string, string>> = {
  de: 'wie ?viel prozent|welche[rn]? prozentsatz',
  en: 'what per ?cent|how many per ?cent',
  es: 'qué porcentaje|cuánto por ciento',
  fr: 'quel pourcentage|combien de pour cent',
  it: 'quale percentuale|che percentuale|quanto per cento',
  ja: '何パーセント|何[%％]|何割',
  ko: '몇 ?(?:퍼센트|프로|%)',
  nl: 'hoeveel procent|welk percentage',
  pl: 'ile procent|jaki procent',
  pt: 'que percentagem|qual a percentagem|que porcentagem|quantos por cento',
  ru: 'сколько процентов|какой процент',
  sv: 'hur många procent',
  tr: 'yüzde kaç',
  uk: 'скільки відсотків|який відсоток',
  zh: '百分之几|百分之多少|百分比是多少',
};
/** Also a half or a third in words, which no list has whole: only a number tells that it is another one. */
const SHARE =
  /[%％]|(?<!\p{L})(?:per ?cent|pro[cz]ent|pour ?cent|por ?cient|por ?cent|percent|procent|процент|відсот|yüzde|half|halb|hälfte|moitié|mitad|metà|metade|helft|połow|половин|hälften|yarı|third|drittel|tiers|tercio|terzo|quarter|viertel|quart|cuarto|all|alle|tout|todo|tutt|rien|nothing|none|nichts)|割|百分|一半|半分|半数|分[の之]|全部|全員|すべて|퍼센트|절반|모두/iu;

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

/** Whether a question asks for a price. */
export const asksPrice = (question: string): boolean => asksBy(ASKS_PRICE, question);

/** Whether a word says that something has a price: "cost". */
export const isPriceWord = (word: string): boolean => PRICE.test(word);

/**
 * Whether a text says something of money.
 *
 * @param around the rest of its document: a list of prices names the currency once, above all tables
 */
export const tellsPrice = (text: string, around: string): boolean =>
  CURRENCY.test(text) ||
  MONEY.test(text) ||
  (NUMBER_CELL.test(text) && (CURRENCY.test(around) || PRICE.test(around)));

/**
 * Whether a question asks for a price, a weight, a share or a telephone number, and a text has no such thing:
 * nothing that it says of the same thing answers then.
 *
 * @param text what would be quoted, with what stands around it
 * @param around the rest of its document
 */
export function lacksAskedForm(question: string, text: string, around: string): boolean {
  const [asked, read] = [question.normalize('NFC'), text.normalize('NFC')];
  return (
    (asksPrice(asked) && !tellsPrice(read, around.normalize('NFC'))) ||
    (asksBy(ASKS_TELEPHONE, asked) && !TELEPHONE.test(read)) ||
    (asksBy(ASKS_WEIGHT, asked) && !WEIGHT.test(read)) ||
    (asksBy(ASKS_SHARE, asked) && !SHARE.test(read))
  );
}

function asksBy(forms: Readonly<Record<string, string>>, question: string): boolean {
  const form = forms[questionLanguage(question) ?? ''];
  return form !== undefined && new RegExp(`(?:${form})`, 'iu').test(question);
}
