import { foldLetters } from '@latchkey/text/fold-text';
import { detectQuestionLanguage } from '@latchkey/text/language/question-language';
import { CURRENCY, LETTER } from './currencies.js';

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
/** Words that speak of prices. */
const PRICE =
  /(?<!\p{L})(?:cost(?!um|om|ru|itu|an[tz]|ur|a rica)|(?:price|charge)(?:[sd]|able)?(?!\p{L})|fees?(?!\p{L})|paid|pay(?:s|able|ments?)?(?!\p{L})|kost|preis|gebühr|bezahl|prix|coût|tarif|pay[eé]|preci[oa]|cuest|pag[aou]|prezz|preço|cust[ae]|custos?(?!\p{L})|prijs|betaal|cen[aęyi]|koszt|płac|bezpłat|opłat|cena|ceny|pris|цен[аыу]|цін[аиу]|стои|коштує|платит|ücret|fiyat|harga|biaya|giá|preț)|תשלום|מחיר|قیمت|سعر|요금|비용|가격|유료|料金|費用|価格|有料|费用|收费|价格|ราคา/iu;
/** Other ways to speak of money: shares of a price, and that nothing is to be paid. */
const MONEY = new RegExp(
  [
    '[%％]|\\p{Nd}[,.:][-–—]',
    '(?<!\\p{L})(?:per ?cent|pro[cz]ent|pour cent|por ciento|por cento|per cento|persen|процент|відсот|yüzde|phần trăm)',
    '(?<!\\p{L})(?:free|complimentary|no charge|includ|inclu[sis]|gratis|gratuit|grátis|frei(?!\\p{L})|unentgeltlich|enthalten|inkl|inbegriff|compris|compres[aoie]|darmow|zdarma|v ceně|ingår|безкошт|безоплат|бесплат|вільн|входит|включ|ücretsiz|bedava|dahil|ingyen|ilmai|maksut|miễn phí|cuma-cuma|termasuk|wliczon)',
    'חינם|مجان|رایگان|무료|포함|無料|含まれ|無償|免费|免費|ฟรี|δωρεάν',
  ].join('|'),
  'iu',
);
/** A number alone, in a table or behind a colon: "1 200", "from 120", "120/150", "120*". */
const NUMBER_CELL =
  /(?:^|\||: ) *(?:(?:from|up to|ab|bis|à partir de|dès|desde|da|vanaf|från|fra|od|от|від|max\.?|ca\.?) )?\p{Nd}(?:[.,/\u00a0\u202f ]?\p{Nd})*[.,]?[-–*†¹²³]* *(?:\||$)/imu;

/**
 * Phrases that ask for a weight, followed by the forms in which a text states one; then both for shares. "How
 * heavy is" is missing in languages that also ask it of an exam.
 */
const ASKS_WEIGHT: Readonly<Record<string, string>> = {
  cs: 'kolik váží',
  da: 'hvor tung må|hvad vejer|hvor meget vejer',
  de: 'wie schwer (?:darf|dürfen|wiegt)|wie viel wieg|wieviel wieg|was wiegt|was wiegen',
  en: 'how heavy (?:is|are|may|can|must) (?!(?:(?:the|an?|this|these|my|our) )?(?:\\p{L}+ )?(?:workload|fines?|penalt|tax))|how much (?:does|do) [^?,]{1,60} weigh(?!\\p{L})|what (?:does|do) [^?,]{1,60} weigh(?!\\p{L})',
  es: 'cuánto pesa',
  fr: 'combien pèse',
  it: 'quanto pesa',
  ja: '重さはどのくらい|重さはどれくらい|重さは何|何キログラム|何kg',
  ko: '무게[는가] ?(?:얼마|몇)|몇 ?(?:킬로그램|kg)',
  nl: 'hoe zwaar (?:mag|mogen)|hoeveel weeg|wat weeg',
  pl: 'ile waż(?!n)',
  pt: 'quanto pesa',
  ru: 'сколько вес[ия]т',
  sv: 'hur tung får|hur mycket väger|vad väger',
  tr: 'kaç kilo(?:gram)?(?!\\p{L})|kaç kg|ağırlığı (?:ne kadar|nedir|kaç)',
  uk: 'скільки важ',
  zh: '多重(?= *(?:[?？呢]|$))|多少公斤|多少千克',
};
const WEIGHT = new RegExp(
  [
    // Units, with the endings that they have.
    [
      `(?<!${LETTER})(?:kgs?|g|gr|grs|[mµμ]g|dag|dkg|hg|lbs?|oz|cwt|кг|г|мг|ц|quilos?|chil[io]`,
      // Neither a kilometre nor a kilobyte, -watt, -hertz, -joule, -litre or -calorie.
      '(?:kilo|кило|кіло)(?![mмbбvвhjдlлpпkкwгц])\\p{L}*|kilow(?!a)\\p{L}{0,3}|kil|(?:kilo|кило|кіло|milli?|мил+і?|мілі)?(?:gram|грам)\\p{L}*',
      'ounces?|onz[ae]s?|onces?|pounds?|pfund|pond|pund|livres?|libras?|libbr[ae]|фунт\\p{L}*|stones?',
      'hundredweights?|zentner\\p{L}*|quinta(?:l|ls|les|li|ux)|[ck]entnar\\p{L}*|cetnar\\p{L}*|центнер\\p{L}*|ett[io]|hekto|de[ck]a',
      `ton(?:s|a|y|ę)?|tun[yaě]?|tonn\\p{L}{0,3}|tonel\\p{L}+|тонн\\p{L}*)(?!${LETTER})`,
    ].join('|'),
    `\\p{Nd} ?(?:t|т|st)(?!${LETTER})`,
    '[㎏㎎㌔斤吨噸克磅]|キロ|グラム|トン|킬로|그램|톤|근(?!무|로|처)',
    // A column of weights, or a number that is called one.
    '(?:(?<!\\p{L})(?:weigh|gewicht|poids|peso|waga|vikt|vægt|hmotnost|ağırlı|вага|вес(?!\\p{L}))|重量|무게)[^|\\n]{0,60}(?:\\||\\n|\\p{Nd})',
  ].join('|'),
  'iu',
);
const ASKS_SHARE: Readonly<Record<string, string>> = {
  de: 'wie ?viel prozent|welche[rn]? prozentsatz',
  en: 'what per ?cent(?!il)|how many per ?cent',
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
/** The forms in which a text states a share, also in words: parts, the whole, and none of it. */
const SHARE = new RegExp(
  [
    '[%％‰]|(?<!\\p{L})(?:per ?cent(?!il)|pct(?!\\p{L})|pro[cz]ent|pour ?cent|por ?cient|por ?cent|процент|відсот|yüzde)',
    // Halves, and parts with whatever ending.
    '(?<!\\p{L})(?:half|halb|hälft|moitié|mitad|metà|metade|helft|połow|половин|yarı|quarter|drittel|viertel|fünftel|sechstel|zehntel|cinquième|dixième|terci|terz|terço|cuarto|trzeci|ćwier|czwart|tredjedel|fjärdedel|треть|трети|четверт|чверт|üçte|dörtte|beşte|çeyre)',
    '(?<!\\p{L})(?:(?:third|fourth|fifth|sixth|tenth)s?|tiers|quarts?|quint[oa]s?)(?!\\p{L})',
    // All or nothing.
    '(?<!\\p{L})(?:all|alle|every\\p{L}*|full|fully|whole|no|non|none|not|nothing|jede[rsn]?|nichts?|pas|niet|geen|nie|inte|não|не|tou[ts]|toutes?|rien|tod[oa]s?|tutt[oi]|intero|hela|все|весь)(?!\\p{L})',
    '(?<!\\p{L})(?:entire|complet|gesamt|ganze|voll|kein|int[eé]gral|[íi]ntegr[oa]|totali|geheel|całoś|pełn|полн|повн|tamam)',
    '[割成](?![立員员功])|百分|一半|半[分額额数]|分[の之]|全部|全員|全额|全額(?=[をは返支])|すべて',
    '퍼센트|절반|모두|전액|전부|분의|반(?=[을만])',
  ].join('|'),
  'iu',
);

/** Phrases that ask for a telephone number, and not about one. */
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
/** A telephone number; a short one such as 112 counts if it is no amount. */
const TELEPHONE = new RegExp(
  `\\p{Nd}[\\p{Nd} ()./–-]{3,20}\\p{Nd}|(?<![\\p{Nd}.,])\\p{Nd}{3,4}(?![\\p{Nd}]| ?(?:${CURRENCY.source}|%))`,
  'u',
);

/** Whether a question asks for a price. */
export const asksPrice = (question: string): boolean => asksBy(ASKS_PRICE, question);

/**
 * Whether a word of a question that asks for a price says nothing else: "cost".
 *
 * @param word with folded letters
 */
export const isPriceWord = (word: string): boolean => ASKING_PRICE.has(word);

/** The texts in which the asked form is looked for. */
interface ReadTexts {
  /** What would be quoted, with the names of its columns. */
  readonly unit: string;
  /** The unit with what stands beside and above it. */
  readonly around: string;
  /** All found passages of its document: a list of prices names the currency once, above all tables. */
  readonly document: string;
}

/**
 * Whether a question asks for a price, a weight, a share or a telephone number that a text does not have; such
 * a text cannot answer. Weights and shares have too many wordings to be recognised ("fits in a letter", "by
 * simple majority"), so they only count as missing where the text has an amount of money instead.
 */
export function lacksAskedForm(question: string, read: ReadTexts): boolean {
  const asked = question.normalize('NFC');
  const [unit = '', around = '', document = ''] = [read.unit, read.around, read.document].map(
    (one) => one.normalize('NFC'),
  );
  const isIn = (...forms: readonly RegExp[]) =>
    forms.some((form) => form.test(around) || (NUMBER_CELL.test(around) && form.test(document)));
  return (
    (asksPrice(asked) && !MONEY.test(around) && !isIn(CURRENCY, PRICE)) ||
    (asksBy(ASKS_TELEPHONE, asked) && !TELEPHONE.test(around)) ||
    // An exam weighs so many per cent.
    (asksBy(ASKS_WEIGHT, asked) &&
      CURRENCY.test(unit) &&
      !/[%％]/u.test(around) &&
      !isIn(WEIGHT)) ||
    (asksBy(ASKS_SHARE, asked) && CURRENCY.test(unit) && !isIn(SHARE))
  );
}

function asksBy(forms: Readonly<Record<string, string>>, question: string): boolean {
  const form = forms[detectQuestionLanguage(question) ?? ''];
  return form !== undefined && new RegExp(`(?:${form})`, 'iu').test(question);
}
