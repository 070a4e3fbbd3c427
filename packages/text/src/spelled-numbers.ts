import { foldLetters, normalizeText } from './fold-text.js';
import { tokenize } from './tokenize.js';

/** The numbers of each row below, in its order. */
const VALUES = [
  ...[2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20],
  ...[30, 40, 50, 60, 70, 80, 90, 100, 1000],
];
/**
 * Numbers as words, forms of one number by `/`, `_` for a number that the others compose or that is
 * hardly ever spelled out. One is left out: it is an article in many languages.
 */
const WORDS: Readonly<Record<string, string>> = {
  en: 'two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand',
  de: 'zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig hundert tausend',
  fr: 'deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf vingt trente quarante cinquante soixante soixante-dix quatre-vingt/quatre-vingts quatre-vingt-dix cent/cents mille',
  es: 'dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte/veinti treinta cuarenta cincuenta sesenta setenta ochenta noventa cien/ciento/cientos mil',
  it: 'due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove venti trenta quaranta cinquanta sessanta settanta ottanta novanta cento mille/mila',
  pt: 'dois/duas três quatro cinco seis sete oito nove dez onze doze treze quatorze/catorze quinze dezesseis/dezasseis dezessete/dezassete dezoito dezenove/dezanove vinte trinta quarenta cinquenta sessenta setenta oitenta noventa cem/cento mil',
  nl: 'twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien twintig dertig veertig vijftig zestig zeventig tachtig negentig honderd duizend',
  pl: 'dwa/dwie/dwóch/dwoma trzy/trzech cztery/czterech pięć/pięciu sześć/sześciu siedem/siedmiu osiem/ośmiu dziewięć/dziewięciu dziesięć/dziesięciu jedenaście/jedenastu dwanaście/dwunastu trzynaście/trzynastu czternaście/czternastu piętnaście/piętnastu szesnaście siedemnaście osiemnaście/osiemnastu dziewiętnaście dwadzieścia/dwudziestu trzydzieści/trzydziestu czterdzieści/czterdziestu pięćdziesiąt/pięćdziesięciu sześćdziesiąt/sześćdziesięciu siedemdziesiąt osiemdziesiąt dziewięćdziesiąt/dziewięćdziesięciu sto/stu tysiąc/tysięcy',
  cs: 'dva/dvě/dvou tři/tří čtyři/čtyř pět/pěti šest/šesti sedm/sedmi osm/osmi devět/devíti deset/deseti jedenáct dvanáct/dvanácti třináct čtrnáct/čtrnácti patnáct/patnácti šestnáct sedmnáct osmnáct devatenáct dvacet/dvaceti třicet/třiceti čtyřicet padesát šedesát/šedesáti sedmdesát osmdesát devadesát/devadesáti sto tisíc',
  sv: 'två tre fyra fem sex sju åtta nio tio elva tolv tretton fjorton femton sexton sjutton arton nitton tjugo trettio fyrtio femtio sextio sjuttio åttio nittio hundra tusen',
  da: 'to tre fire fem seks syv otte ni ti elleve tolv tretten fjorten femten seksten sytten atten nitten tyve tredive/tredve fyrre halvtreds tres halvfjerds firs halvfems hundrede tusind',
  no: 'to tre fire fem seks sju/syv åtte ni ti elleve tolv tretten fjorten femten seksten sytten atten nitten tjue tretti førti femti seksti sytti åtti nitti hundre tusen',
  fi: 'kaksi/kahden/kahta kolme/kolmen neljä/neljän viisi/viiden kuusi/kuuden seitsemän kahdeksan yhdeksän kymmenen yksitoista kaksitoista kolmetoista neljätoista viisitoista kuusitoista seitsemäntoista kahdeksantoista yhdeksäntoista kaksikymmentä kolmekymmentä neljäkymmentä viisikymmentä kuusikymmentä seitsemänkymmentä kahdeksankymmentä yhdeksänkymmentä sata/sataa tuhat/tuhatta',
  tr: 'iki üç dört beş altı yedi sekiz dokuz on _ _ _ _ _ _ _ _ _ yirmi otuz kırk elli altmış yetmiş seksen doksan yüz bin',
  ru: 'два/две/двух три/трёх четыре/четырёх пять/пяти шесть/шести семь/семи восемь/восьми девять/девяти десять/десяти одиннадцать двенадцать/двенадцати тринадцать четырнадцать/четырнадцати пятнадцать/пятнадцати шестнадцать семнадцать восемнадцать девятнадцать двадцать/двадцати тридцать/тридцати сорок/сорока пятьдесят/пятидесяти шестьдесят/шестидесяти семьдесят восемьдесят девяносто/девяноста сто/ста тысяча/тысяч',
  uk: 'два/дві/двох три/трьох чотири/чотирьох пʼять/пять/пʼяти шість/шести сім/семи вісім/восьми девʼять/девять десять/десяти одинадцять дванадцять/дванадцяти тринадцять чотирнадцять/чотирнадцяти пʼятнадцять/пятнадцять шістнадцять сімнадцять вісімнадцять девʼятнадцять двадцять/двадцяти тридцять/тридцяти сорок пʼятдесят/пятдесят шістдесят/шістдесяти сімдесят вісімдесят девʼяносто сто/ста тисяча/тисяч',
  bg: 'два/две три четири пет шест седем осем девет десет единадесет дванадесет тринадесет четиринадесет петнадесет шестнадесет седемнадесет осемнадесет деветнадесет двадесет тридесет четиридесет петдесет шестдесет седемдесет осемдесет деветдесет сто хиляда/хиляди',
  el: 'δύο/δυο τρεις/τρία/τριών τέσσερις/τέσσερα/τεσσάρων πέντε έξι επτά/εφτά οκτώ/οχτώ εννέα/εννιά δέκα έντεκα δώδεκα δεκατρείς/δεκατρία δεκατέσσερις/δεκατέσσερα δεκαπέντε δεκαέξι δεκαεπτά δεκαοκτώ/δεκαοχτώ δεκαεννέα είκοσι τριάντα σαράντα πενήντα εξήντα εβδομήντα ογδόντα ενενήντα εκατό/εκατόν χίλια/χιλιάδες',
  ro: 'doi/două trei patru cinci șase șapte opt nouă zece unsprezece doisprezece/douăsprezece treisprezece paisprezece cincisprezece șaisprezece șaptesprezece optsprezece nouăsprezece douăzeci treizeci patruzeci cincizeci șaizeci șaptezeci optzeci nouăzeci sută/sute mie/mii',
  hu: 'kettő/két három négy öt hat hét nyolc kilenc tíz/tizen _ _ _ _ _ _ _ _ _ húsz/huszon harminc negyven ötven hatvan hetven nyolcvan kilencven száz ezer',
  id: 'dua tiga empat lima enam tujuh delapan sembilan sepuluh sebelas _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ seratus/ratus seribu/ribu',
  vi: 'hai ba bốn/tư năm/lăm sáu bảy tám chín mười _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ trăm nghìn/ngàn',
  ar: 'اثنان/اثنين/اثنتان/اثنتين/يومين/سنتين/عامين/شهرين/أسبوعين/ساعتين ثلاثة/ثلاث أربعة/أربع خمسة/خمس ستة/ست سبعة/سبع ثمانية/ثماني تسعة/تسع عشرة/عشر _ _ _ _ _ _ _ _ _ عشرون/عشرين ثلاثون/ثلاثين أربعون/أربعين خمسون/خمسين ستون/ستين سبعون/سبعين ثمانون/ثمانين تسعون/تسعين مئة/مائة ألف',
  he: 'שניים/שתיים/שני/שתי/יומיים/שנתיים/חודשיים/שבועיים/שעתיים שלושה/שלוש ארבעה/ארבע חמישה/חמש שישה/שש שבעה/שבע שמונה תשעה/תשע עשרה/עשר _ _ _ _ _ _ _ _ _ עשרים שלושים ארבעים חמישים שישים שבעים שמונים תשעים מאה אלף',
  fa: 'دو سه چهار پنج شش هفت هشت نه ده یازده دوازده سیزده چهارده پانزده شانزده هفده هجده نوزده بیست سی چهل پنجاه شصت هفتاد هشتاد نود صد هزار',
  hi: 'दो तीन चार पाँच/पांच छह/छः सात आठ नौ दस ग्यारह बारह तेरह चौदह पंद्रह सोलह सत्रह अठारह उन्नीस बीस तीस चालीस पचास साठ सत्तर अस्सी नब्बे सौ हज़ार/हजार',
  ko: '두/둘 세/셋 네/넷 다섯 여섯 일곱 여덟 아홉 열 _ _ _ _ _ _ _ _ _ 스무/스물 서른 마흔 쉰 예순 일흔 여든 아흔 백 천',
  th: 'สอง สาม สี่ ห้า หก เจ็ด แปด เก้า สิบ _ _ _ _ _ _ _ _ _ ยี่สิบ _ _ _ _ _ _ _ ร้อย พัน',
  zh: '二/两/兩 三 四 五 六 七 八 九 十 _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ 百 千',
};
/** Words between the parts of one number, such as the `und` of `fünfundzwanzig`. */
const BETWEEN: Readonly<Record<string, string>> = {
  ...{ en: 'and', de: 'und', fr: 'et', es: 'y', pt: 'e', nl: 'en', da: 'og', no: 'og', ro: 'și' },
  ...{ bg: 'и', el: 'και', ar: 'و', he: 'ו', fa: 'و' },
};
/** Words that multiply the number before them, beside hundred and thousand: 三十, สามสิบ, dua puluh. */
const TENS: Readonly<Record<string, string>> = { zh: '十', th: 'สิบ', vi: 'mươi', id: 'puluh' };
/** Languages without spaces between words, where a number may stand within other characters. */
const UNSPACED = ['zh', 'th', 'ko'];
/** Nobody writes numbers with more further words; an unlimited pattern could take forever. */
const MORE_WORDS = 5;

interface Numbers {
  readonly values: ReadonlyMap<string, number>;
  readonly number: RegExp;
  readonly word: RegExp;
  readonly tens: string | undefined;
}

const fold = (text: string) => foldLetters(normalizeText(text));
const patterns = new Map<string, Numbers>();

/**
 * Finds the numbers from two on that a text spells out, small ones and those composed of few words.
 *
 * @param language BCP 47; a number's word in one language is a common word of another
 */
export function findSpelledNumbers(text: string, language: string | null | undefined): number[] {
  const code = language?.split('-')[0] ?? '';
  const numbers = getNumbers(code === 'ja' ? 'zh' : code);
  if (!numbers) return [];
  const { values, number, word, tens } = numbers;
  return [...fold(text).matchAll(number)].map(([found]) => {
    let sum = 0;
    let last = 0;
    for (const [each] of found.matchAll(word)) {
      const value = values.get(each) ?? 0;
      if (value >= 100 || each === tens) {
        sum += Math.max(last, 1) * value;
        last = 0;
      } else last += value;
    }
    return sum + last;
  });
}

/** Languages whose words may hold those of numbers: 세탁기 is a washing machine. */
const WITHIN_WORDS = ['ko', 'th'];

/**
 * Whether a text spells out a number; where words may hold those of numbers, as a word of its own.
 *
 * @param language BCP 47
 */
export function hasSpelledNumber(text: string, language: string | null | undefined): boolean {
  const code = language?.split('-')[0] ?? '';
  if (!WITHIN_WORDS.includes(code)) return findSpelledNumbers(text, language).length > 0;
  const numbers = getNumbers(code);
  return tokenize(text, code).some((word) => numbers?.values.has(word) === true);
}

function getNumbers(code: string): Numbers | undefined {
  const row = WORDS[code];
  const known = patterns.get(code);
  if (row === undefined || known) return known;
  const tens = TENS[code] === undefined ? undefined : fold(TENS[code]);
  const entries = row
    .split(' ')
    .flatMap((forms, position) =>
      forms.split('/').map((form): [string, number] => [fold(form), VALUES[position] ?? 0]),
    )
    .filter(([form]) => form !== '_');
  const values = new Map([...entries, ...(tens === undefined ? [] : [[tens, 10] as const])]);
  // The longest first: `sixteen` is not `six`.
  const words = [...values.keys()].sort((a, b) => b.length - a.length).join('|');
  const between = BETWEEN[code] === undefined ? '' : `(?:${fold(BETWEEN[code])})?`;
  const [start, end] = UNSPACED.includes(code) ? ['', ''] : ['(?<!\\p{L})', '(?!\\p{L})'];
  const more = `(?:[ -]?${between}[ -]?(?:${words})){0,${MORE_WORDS}}`;
  const numbers = {
    values,
    number: new RegExp(`${start}(?:${words})${more}${end}`, 'gu'),
    word: new RegExp(words, 'gu'),
    tens,
  };
  patterns.set(code, numbers);
  return numbers;
}
