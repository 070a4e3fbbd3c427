import { tokenize } from '@latchkey/text/tokenize';

/**
 * Numbers as words, from two on: the word for one is an article in many languages. The lists have what texts
 * spell out: small numbers, tens, powers of ten, and words that replace a number: "half", "free".
 */
const WORDS: Readonly<Record<string, string>> = {
  en: 'two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty ninety hundred thousand million free half once twice double unlimited',
  de: 'zwei drei vier fünf sechs sieben acht neun zehn elf zwölf fünfzehn zwanzig dreißig vierzig fünfzig sechzig neunzig hundert tausend kostenlos gratis kostenfrei unentgeltlich halb halbe hälfte einmal zweimal doppelt unbegrenzt',
  fr: 'deux trois quatre cinq sept huit neuf dix onze douze quinze vingt trente quarante cinquante soixante cent mille gratuit gratuite gratuitement moitié demi demie double illimité',
  es: 'dos tres cuatro cinco seis siete ocho nueve diez once doce quince veinte treinta cuarenta cincuenta sesenta noventa cien mil gratis gratuito gratuita mitad medio media doble ilimitado',
  it: 'due tre quattro cinque sei sette otto nove dieci undici dodici quindici venti trenta quaranta cinquanta sessanta cento mille gratis gratuito gratuita metà mezzo mezza doppio illimitato',
  pt: 'dois duas três quatro cinco seis sete oito nove dez onze doze quinze vinte trinta quarenta cinquenta sessenta cem mil grátis gratuito gratuita metade meio meia dobro ilimitado',
  nl: 'twee drie vier vijf zes zeven acht negen tien elf twaalf vijftien twintig dertig veertig vijftig zestig negentig honderd duizend gratis kosteloos helft half anderhalf dubbel onbeperkt eenmaal tweemaal',
  pl: 'dwa dwie trzy cztery pięć sześć siedem osiem dziewięć dziesięć dwanaście piętnaście dwadzieścia trzydzieści sto tysiąc dwóch trzech czterech pięciu bezpłatnie bezpłatny bezpłatna darmowy połowa połowę pół półtora raz dwukrotnie',
  cs: 'dva dvě tři čtyři pět šest sedm osm devět deset dvanáct patnáct dvacet třicet sto tisíc dvou tří čtyř pěti zdarma polovina polovinu půl jednou dvakrát',
  sv: 'två tre fyra fem sex sju åtta nio tio elva tolv femton tjugo trettio fyrtio femtio hundra tusen gratis kostnadsfritt hälften halv dubbelt',
  da: 'to tre fire fem seks syv sju otte åtte ni ti tolv femten tyve tjue tredive tretti hundrede hundre tusind tusen gratis halvdelen halv halvanden dobbelt',
  fi: 'kaksi kolme neljä viisi kuusi seitsemän kahdeksan yhdeksän kymmenen kaksikymmentä kolmekymmentä sata tuhat kahden kolmen neljän viiden ilmainen maksuton maksutta puolet puoli',
  tr: 'iki üç dört beş altı yedi sekiz dokuz on yirmi otuz kırk elli altmış yüz bin ücretsiz bedava yarım yarısı buçuk sınırsız',
  ru: 'два две три четыре пять шесть семь восемь девять десять двенадцать пятнадцать двадцать тридцать сорок сто тысяча двух трёх трех четырёх пяти бесплатно бесплатный половина половину полтора дважды',
  uk: 'дві чотири пʼять шість сім вісім десять двадцять тридцять сто тисяча двох трьох чотирьох безкоштовно половина половину пів півтора двічі',
  bg: 'четири пет шест седем осем девет десет двадесет тридесет хиляда',
  el: 'δύο δυο τρεις τρία τέσσερις τέσσερα πέντε έξι επτά εφτά οκτώ οχτώ εννέα δέκα δώδεκα δεκαπέντε είκοσι τριάντα εκατό χίλια',
  ro: 'două doi trei patru cinci șase șapte opt nouă zece doisprezece cincisprezece douăzeci treizeci sută mie gratuit gratis jumătate dublu',
  hu: 'kettő két három négy öt hat hét nyolc kilenc tíz húsz harminc száz ezer ingyenes ingyen fele fél másfél',
  id: 'dua tiga empat lima enam tujuh delapan sembilan sepuluh belas puluh seratus seribu ratus ribu gratis separuh setengah kali',
  vi: 'hai ba bốn năm sáu bảy tám chín mười trăm nghìn miễn nửa',
  ar: 'اثنان اثنين ثلاثة ثلاث أربعة أربع خمسة خمس ستة سبعة ثمانية تسعة عشرة عشر عشرون عشرين ثلاثون ثلاثين مئة مائة ألف يومين سنتين شهرين مجاني مجانا مجانية نصف',
  he: 'שני שתי שלושה שלוש ארבעה ארבע חמישה חמש שישה שבעה שמונה תשעה עשרה עשר עשרים שלושים מאה אלף יומיים שנתיים חודשיים חינם חצי מחצית כפול פעמיים',
  fa: 'دو سه چهار پنج شش هفت هشت نه ده دوازده پانزده بیست سی چهل صد هزار رایگان نیم نصف دوبار',
  hi: 'दो तीन चार पाँच पांच छह सात आठ नौ दस बारह पंद्रह बीस तीस चालीस सौ हज़ार',
  bn: 'দুই তিন চার পাঁচ ছয় সাত আট নয় দশ বিশ ত্রিশ শত হাজার',
  th: 'สอง สาม สี่ ห้า หก เจ็ด แปด เก้า สิบ ยี่สิบ สามสิบ ร้อย พัน',
  ko: '둘 셋 넷 다섯 여섯 일곱 여덟 아홉 열 스무 스물 서른 이십 삼십 두 세 네 무료 절반 하루 이틀 사흘 나흘 닷새 열흘 보름',
  no: 'to tre fire fem seks sju syv åtte ni ti tolv femten tjue tretti hundre tusen',
};

const NUMBER_WORDS = new Map(
  Object.entries(WORDS).map(([language, words]) => [language, new Set(words.split(' '))]),
);
/** Hebrew and Arabic write "in", "for", "and" and "the" together with the number behind them. */
const PARTICLES =
  /^(?:[והבלכשמ]{1,2}(?=\p{Script=Hebrew}{2})|[وفبلك]{0,2}(?:ال|لل)?(?=\p{Script=Arabic}{3}))/u;
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
  return (
    words !== undefined &&
    tokenize(text, language).some(
      (word) => words.has(word) || words.has(word.replace(PARTICLES, '')),
    )
  );
}
