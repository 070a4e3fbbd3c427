/** Documents of several years that say the same with other values, and how people ask for one of them. */
export interface EditionCase {
  readonly subject: string;
  readonly language: string;
  readonly documents: readonly { readonly title: string; readonly text: string }[];
  /** The values by year, the newest last. */
  readonly values: Readonly<Record<string, string>>;
  /** Questions that name a year, which is the key. */
  readonly ofYear: Readonly<Record<string, string>>;
  /** Questions for the latest, and without a year. */
  readonly ofNewest: readonly string[];
}

const editions = (
  values: Readonly<Record<string, string>>,
  title: (year: string) => string,
  text: (value: string, year: string) => string,
) =>
  Object.entries(values).map(([year, value]) => ({ title: title(year), text: text(value, year) }));

const RATES = { 2024: '95 euros', 2025: '104 euros', 2026: '118 euros' };
const DUES = { 2023: '60 Euro', 2024: '66 Euro', 2025: '72 Euro' };
const ENTRIES = { 2024: '4,20 euros', 2025: '4,60 euros', 2026: '5,10 euros' };
const HOLIDAYS = { 2023: '22 días', 2024: '23 días', 2025: '25 días' };
const MEALS = { 2024: '5,50 euro', 2025: '5,90 euro', 2026: '6,40 euro' };
const LOANS = { 2022: '21 dni', 2023: '28 dni', 2024: '30 dni' };
const FEES = { 2024: '8,000円', 2025: '8,800円', 2026: '9,500円' };
const NIGHTS = { 2024: '350元', 2025: '380元', 2026: '420元' };
const SUBSCRIPTIONS = { 2024: '120 ريالا', 2025: '135 ريالا', 2026: '150 ريالا' };
const INSCRIPTIONS = { 2024: '35 euros', 2025: '38 euros', 2026: '42 euros' };
const PARKING = { 2024: '12 euro', 2025: '14 euro', 2026: '17 euro' };

export const EDITION_CASES: readonly EditionCase[] = [
  {
    subject: 'hourly rates',
    language: 'en',
    values: RATES,
    documents: editions(
      RATES,
      (year) => `Rates ${year}`,
      (value, year) =>
        `# Rates ${year}\n\nThe hourly rate for consulting is ${value}. Travel time is billed at half the rate.`,
    ),
    ofYear: {
      2025: 'What is the hourly rate for consulting in 2025?',
      2024: 'the rate in 2024?',
    },
    ofNewest: [
      'What is the latest hourly rate for consulting?',
      'What is the hourly rate for consulting?',
    ],
  },
  {
    subject: 'dues of a club',
    language: 'de',
    values: DUES,
    documents: editions(
      DUES,
      (year) => `Beitragsordnung ${year}`,
      (value) =>
        `Der Jahresbeitrag für Erwachsene beträgt ${value}. Jugendliche zahlen die Hälfte.\n\nDer Beitrag wird im März abgebucht.`,
    ),
    ofYear: {
      2024: 'Wie hoch war der Jahresbeitrag für Erwachsene 2024?',
      2023: 'Was kostete der Jahresbeitrag im Jahr 2023?',
    },
    ofNewest: [
      'Wie hoch ist der Jahresbeitrag für Erwachsene aktuell?',
      'Wie hoch ist der Jahresbeitrag für Erwachsene?',
    ],
  },
  {
    subject: 'entries of a swimming pool',
    language: 'fr',
    values: ENTRIES,
    documents: editions(
      ENTRIES,
      (year) => `Tarifs de la piscine ${year}`,
      (value) =>
        `L'entrée pour un adulte coûte ${value}. Les enfants de moins de six ans entrent gratuitement.\n\nLa piscine ferme à 20 heures.`,
    ),
    ofYear: { 2025: 'Combien coûtait l’entrée pour un adulte en 2025 ?' },
    ofNewest: [
      'Quel est le dernier tarif d’entrée pour un adulte ?',
      'Combien coûte l’entrée pour un adulte ?',
    ],
  },
  {
    subject: 'holidays of staff',
    language: 'es',
    values: HOLIDAYS,
    documents: editions(
      HOLIDAYS,
      (year) => `Convenio de empresa ${year}`,
      (value) =>
        `Las vacaciones anuales son de ${value} laborables. Se solicitan con un mes de antelación.\n\nLa jornada termina a las cinco.`,
    ),
    ofYear: { 2024: '¿Cuántos días de vacaciones anuales había en 2024?' },
    ofNewest: [
      '¿Cuántos días de vacaciones anuales hay actualmente?',
      '¿Cuántos días de vacaciones anuales hay?',
    ],
  },
  {
    subject: 'meals of a canteen',
    language: 'it',
    values: MEALS,
    documents: editions(
      MEALS,
      (year) => `Regolamento della mensa ${year}`,
      (value) =>
        `Il pasto completo per i dipendenti costa ${value}. Gli ospiti pagano il doppio.\n\nLa mensa apre a mezzogiorno.`,
    ),
    ofYear: { 2025: 'Quanto costava il pasto completo per i dipendenti nel 2025?' },
    ofNewest: [
      'Quanto costa attualmente il pasto completo per i dipendenti?',
      'Quanto costa il pasto completo per i dipendenti?',
    ],
  },
  {
    subject: 'loans of a library',
    language: 'pl',
    values: LOANS,
    documents: editions(
      LOANS,
      (year) => `Regulamin biblioteki ${year}`,
      (value) =>
        `Książki wypożycza się na ${value}. Czasopisma czyta się na miejscu.\n\nCzytelnia jest otwarta do godziny 18.`,
    ),
    ofYear: { 2023: 'Na ile dni wypożycza się książki w 2023 roku?' },
    ofNewest: ['Na ile dni obecnie wypożycza się książki?', 'Na ile dni wypożycza się książki?'],
  },
  {
    subject: 'fees of a consultation',
    language: 'ja',
    values: FEES,
    documents: editions(
      FEES,
      (year) => `料金表 ${year}年`,
      (value) => `相談料は1時間あたり${value}です。交通費は実費をいただきます。`,
    ),
    ofYear: { 2025: '2025年の相談料はいくらですか。' },
    ofNewest: ['最新の相談料はいくらですか。', '相談料はいくらですか。'],
  },
  {
    subject: 'nights of a business trip',
    language: 'zh',
    values: NIGHTS,
    documents: editions(
      NIGHTS,
      (year) => `差旅标准${year}`,
      (value) => `住宿费标准为每晚${value}。餐费由员工自行承担。`,
    ),
    ofYear: { 2025: '2025年的住宿费标准是多少？' },
    ofNewest: ['最新的住宿费标准是多少？', '住宿费标准是多少？'],
  },
  {
    subject: 'subscriptions',
    language: 'ar',
    values: SUBSCRIPTIONS,
    documents: editions(
      SUBSCRIPTIONS,
      (year) => `قائمة الأسعار ${year}`,
      (value) => `سعر الاشتراك الشهري ${value}. يحصل الطلاب على خصم.`,
    ),
    ofYear: { 2025: 'ما هو سعر الاشتراك الشهري في عام 2025؟' },
    ofNewest: ['ما هو أحدث سعر للاشتراك الشهري؟', 'ما هو سعر الاشتراك الشهري؟'],
  },
  {
    subject: 'inscriptions of a course',
    language: 'pt',
    values: INSCRIPTIONS,
    documents: editions(
      INSCRIPTIONS,
      (year) => `Regulamento dos cursos ${year}`,
      (value) =>
        `A inscrição num curso custa ${value}. O material não está incluído.\n\nOs cursos começam em setembro.`,
    ),
    ofYear: { 2025: 'Quanto custava a inscrição num curso em 2025?' },
    ofNewest: [
      'Quanto custa atualmente a inscrição num curso?',
      'Quanto custa a inscrição num curso?',
    ],
  },
  {
    subject: 'parking, by headings of one document',
    language: 'nl',
    values: PARKING,
    documents: [
      {
        title: 'Parkeren bij het museum',
        text: Object.entries(PARKING)
          .map(
            ([year, value]) =>
              `# Tarieven ${year}\n\nEen dagkaart voor de parkeergarage kost ${value}. Bewoners betalen niets.`,
          )
          .join('\n\n'),
      },
    ],
    ofYear: { 2025: 'Wat kostte een dagkaart voor de parkeergarage in 2025?' },
    ofNewest: [
      'Wat kost een dagkaart voor de parkeergarage nu?',
      'Wat kost een dagkaart voor de parkeergarage?',
    ],
  },
];
