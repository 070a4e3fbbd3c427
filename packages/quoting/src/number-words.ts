import { tokenize } from '@latchkey/text/tokenize';

/**
 * Numbers as words, from two on: the word for one is an article in many languages. Bounded by what texts
 * spell out: small numbers, tens and powers of ten.
 */
const WORDS: Readonly<Record<string, string>> = {
  en: 'two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty ninety hundred thousand million',
  de: 'zwei drei vier fünf sechs sieben acht neun zehn elf zwölf fünfzehn zwanzig dreißig vierzig fünfzig sechzig neunzig hundert tausend',
  fr: 'deux trois quatre cinq sept huit neuf dix onze douze quinze vingt trente quarante cinquante soixante cent mille',
  es: 'dos tres cuatro cinco seis siete ocho nueve diez once doce quince veinte treinta cuarenta cincuenta sesenta noventa cien mil',
  it: 'due tre quattro cinque sei sette otto nove dieci undici dodici quindici venti trenta quaranta cinquanta sessanta cento mille',
  pt: 'dois duas três quatro cinco seis sete oito nove dez onze doze quinze vinte trinta quarenta cinquenta sessenta cem mil',
  nl: 'twee drie vier vijf zes zeven acht negen tien elf twaalf vijftien twintig dertig veertig vijftig zestig negentig honderd duizend',
  pl: 'dwa dwie trzy cztery pięć sześć siedem osiem dziewięć dziesięć dwanaście piętnaście dwadzieścia trzydzieści sto tysiąc dwóch trzech czterech pięciu',
  cs: 'dva dvě tři čtyři pět šest sedm osm devět deset dvanáct patnáct dvacet třicet sto tisíc dvou tří čtyř pěti',
  sv: 'två tre fyra fem sex sju åtta nio tio elva tolv femton tjugo trettio fyrtio femtio hundra tusen',
  da: 'to tre fire fem seks syv sju otte åtte ni ti tolv femten tyve tjue tredive tretti hundrede hundre tusind tusen',
  fi: 'kaksi kolme neljä viisi kuusi seitsemän kahdeksan yhdeksän kymmenen kaksikymmentä kolmekymmentä sata tuhat kahden kolmen neljän viiden',
  tr: 'iki üç dört beş altı yedi sekiz dokuz on yirmi otuz kırk elli altmış yüz bin',
  ru: 'два две три четыре пять шесть семь восемь девять десять двенадцать пятнадцать двадцать тридцать сорок сто тысяча двух трёх трех четырёх пяти',
  uk: 'дві чотири пʼять шість сім вісім десять двадцять тридцять сто тисяча двох трьох чотирьох',
  bg: 'четири пет шест седем осем девет десет двадесет тридесет хиляда',
  el: 'δύο δυο τρεις τρία τέσσερις τέσσερα πέντε έξι επτά εφτά οκτώ οχτώ εννέα δέκα δώδεκα δεκαπέντε είκοσι τριάντα εκατό χίλια',
  ro: 'două doi trei patru cinci șase șapte opt nouă zece doisprezece cincisprezece douăzeci treizeci sută mie',
  hu: 'kettő két három négy öt hat hét nyolc kilenc tíz húsz harminc száz ezer',
  id: 'dua tiga empat lima enam tujuh delapan sembilan sepuluh belas puluh seratus seribu ratus ribu',
  vi: 'hai ba bốn năm sáu bảy tám chín mười trăm nghìn',
  ar: 'اثنان اثنين ثلاثة ثلاث أربعة أربع خمسة خمس ستة سبعة ثمانية تسعة عشرة عشر عشرون عشرين ثلاثون ثلاثين مئة مائة ألف يومين سنتين شهرين',
  he: 'שני שתי שלושה שלוש ארבעה ארבע חמישה חמש שישה שבעה שמונה תשעה עשרה עשר עשרים שלושים מאה אלף יומיים שנתיים חודשיים',
  fa: 'دو سه چهار پنج شش هفت هشت نه ده دوازده پانزده بیست سی چهل صد هزار',
  hi: 'दो तीन चार पाँच पांच छह सात आठ नौ दस बारह पंद्रह बीस तीस चालीस सौ हज़ार',
  bn: 'দুই তিন চার পাঁচ ছয় সাত আট নয় দশ বিশ ত্রিশ শত হাজার',
  th: 'สอง สาม สี่ ห้า หก เจ็ด แปด เก้า สิบ ยี่สิบ สามสิบ ร้อย พัน',
  ko: '둘 셋 넷 다섯 여섯 일곱 여덟 아홉 열 스무 스물 서른 이십 삼십 두 세 네',
  no: 'to tre fire fem seks sju syv åtte ni ti tolv femten tjue tretti hundre tusen',
};

const NUMBER_WORDS = new Map(
  Object.entries(WORDS).map(([language, words]) => [language, new Set(words.split(' '))]),
);
/** In Chinese and Japanese numbers stand beside what they count: 两年, 三十日. */
const HAN_NUMBER = /[二三四五六七八九十百千万两兩]/u;

/**
 * Whether a text has a number that is spelled out.
 *
 * @param language BCP 47; a word of one language for a number is a common one of another (Danish `to`)
 */
export function hasNumberWord(text: string, language: string | null): boolean {
  const code = language?.split('-')[0] ?? '';
  if (code === 'zh' || code === 'ja') return HAN_NUMBER.test(text);
  const words = NUMBER_WORDS.get(code);
  return words !== undefined && tokenize(text, language).some((word) => words.has(word));
}
