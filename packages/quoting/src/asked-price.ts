import { foldLetters } from '@latchkey/text/fold-text';
import { detectQuestionLanguage } from '@latchkey/text/language/question-language';

/** Phrases that ask for a price and nothing else, by language; a word may have another ending. */
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
  // Such a short question of Portuguese is taken for Italian.
  it: 'quanto costa|quanto costano|quanto custa',
  ja: '(?:値段|料金|価格)はいくら',
  ko: '(?:가격|요금|비용)[은이]? ?얼마|(?:에|당) 얼마(?:인|예|에요|입)',
  nl: 'hoeveel kost|wat kost|wat kosten|hoeveel kosten',
  no: 'hva koster|hvor mye koster',
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
/** The words of these phrases that mean only a price; "charge" is missing, since it may be a charger's. */
const ASKING_PRICE = new Set(
  [
    'cost costs price prices kostet kosten teuer kost koster kostar coûte coûtent cuesta cuestan vale',
    'costa costano custa custam costă kosztuje kosztują stojí стоит стоят коштує коштують',
    'fiyatı ücreti lira giá harga biaya 料金 価格 値段 가격 요금 비용 少钱 少錢 ราคา המחיר עולה עולים',
    'سعر ثمن تكلفة قیمت',
  ].flatMap((words) => words.split(' ').map(foldLetters)),
);
/** Whether a question asks for a price. */
export function asksPrice(question: string): boolean {
  const form = ASKS_PRICE[detectQuestionLanguage(question) ?? ''];
  return form !== undefined && new RegExp(`(?:${form})`, 'iu').test(question.normalize('NFC'));
}

/**
 * Whether a word of a question that asks for a price says nothing else: "cost".
 *
 * @param word with folded letters
 */
export const isPriceWord = (word: string): boolean => ASKING_PRICE.has(word);

const FREE =
  /(?<!\p{L})(?:free|complimentary|gratis|kostenlos|kostenfrei|unentgeltlich|gratuit\p{L}*|grátis|zdarma|bezpłatn\p{L}*|darmow\p{L}*|бесплатн\p{L}*|безкоштовн\p{L}*|ücretsiz|bedava|ilmai\p{L}*|maksut\p{L}*|ingyen\p{L}*|δωρεάν|miễn phí)(?!\p{L})|無料|免费|免費|무료|ฟรี|חינם|مجان|رایگان/iu;

/** Whether a text says that something costs nothing, which answers how much it is. */
export const saysFree = (text: string): boolean => FREE.test(text);

/** The word for a price, as tables name a column. */
const PRICE =
  /(?<!\p{L})(?:price|fee|cost|prix|tarif|preis|gebühr|precio|tarifa|prezzo|preço|prijs|cena|pris|preț|цена|ціна|fiyat|ücret|harga|giá|ár(?!\p{L})|hinta)|τιμή|価格|料金|使用料|价格|價格|가격|요금|ราคา|سعر|السعر|رسم|قیمت|מחיר/iu;

/** Whether a column has prices, by its name. */
export const namesPrice = (name: string): boolean => PRICE.test(name);
