const SIGNS = '\\p{Sc}|円|(?<=[\\p{Nd}百千万萬(（] ?)[元块원]|ש["״”]ח';
const CODES =
  'EUR|USD|GBP|CHF|PLN|CZK|HUF|RON|UAH|SEK|NOK|DKK|JPY|CNY|KRW|INR|THB|BRL|TRY|TL|ILS|NIS|IDR|Rp|VND|AED|SAR|EGP|IRR|RUB|AUD|CAD|Kč|Ft|zł|грн|руб';
/** As ISO 4217 has them. */
export const CURRENCY_CODES = CODES.split('|').filter((code) => /^(?!NIS)[A-Z]{3}$/.test(code));
/** Names that mean a currency only behind a number. */
const BEHIND_NUMBER = 'lei|leu|kr|rs|Rs|fr|Fr|kč|лв|дин|đ|đồng|pesos?|ユーロ|ドル|ウォン';
const NAMES =
  '[Ee]uro(?!p)\\p{L}{0,3}|[Єє]вро|[Ее]вро|ευρώ|[Dd][oó]l+ar\\p{L}{0,4}|[Дд]ол+ар\\p{L}{0,3}|[Pp]ounds?|pence|penny|pennies|[Cc]ents?|[Cc]ent(?:imes|avos|esimi|ów)|[Ff]ranken|[Ff]rancs?|franków|lir[ae]\\p{L}{0,3}|złot\\p{L}{1,3}|grosz\\p{L}{0,2}|korun\\p{L}{0,2}|[Kk]ron(?:or|er|en|e|a)|forint\\p{L}{0,4}|рубл\\p{L}{1,3}|гривн\\p{L}{1,3}|гривень|rupiah|rupees?|reais|dirhams?|shekels?';
const WITHOUT_BOUNDARY =
  '[欧歐美日港]元|人民币|人民幣|שקל|דולר|יורו|ریال|تومان|ريال|درهم|دينار|جنيه|ليرة|دولار|يورو|달러|유로|บาท|रुपय|টাকা';

/** A letter of a script whose words have spaces or such letters around them: not of "20kgまで". */
export const LETTER = '[\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}]';

/** A sign, code or name of a currency; codes as they are written, since `TRY` is one and "try" is none. */
export const CURRENCY = new RegExp(
  `${SIGNS}|${WITHOUT_BOUNDARY}|(?<!${LETTER})(?:${CODES}|${NAMES})(?!${LETTER})|(?<=[\\p{Nd}百千万] ?)(?:${BEHIND_NUMBER})(?!${LETTER})`,
  'u',
);

/** Whether a number is an amount of money by the word or sign beside it, in lower case. */
export const isCurrency = (unit: string): boolean =>
  unit !== '' && [unit, unit.toUpperCase()].some((one) => CURRENCY.test(`1 ${one}`));
