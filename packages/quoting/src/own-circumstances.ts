import { detectQuestionLanguage } from '@latchkey/text/language/question-language';
import { normalizeText } from '@latchkey/text/fold-text';
import { isCurrency } from './currencies.js';

/** Words by which people speak of themselves and their own things, by language. */
const OWN: Readonly<Record<string, string>> = {
  ar: 'أنا|نحن|عندي|لدي|لدينا|عمري',
  cs: 'já|my|mám|jsem|máme|jsme|můj|moje|pracuji',
  da: 'jeg|vi|min|mit|mine',
  de: 'ich|wir|mein|meine|meinem|meiner|meinen|unser|unsere|unserem',
  en: "i|we|my|our|i['’]m|i['’]ve|we['’]re|we['’]ve",
  es: 'tengo|tenemos|llevo|llevamos|trabajo|trabajamos|soy|estoy|estamos|he|hemos|mi|mis|compré|pedí',
  fa: 'من|ما|دارم|هستم|داریم',
  fi: 'minä|olen|minun|minulla|meillä|olemme',
  fr: "je|nous|mon|ma|mes|notre|j['’]ai|j['’]avais",
  he: 'אני|אנחנו|לי|לנו|שלי|שלנו',
  hu: 'vagyok|vagyunk|dolgozom|nekem|van egy',
  id: 'saya|kami|aku|kita',
  it: 'ho|sono|abbiamo|siamo|lavoro|mio|mia|nostro|nostra',
  ja: '私|うち|わたし|僕|歳ですが|ていますが|ましたが|なのですが',
  ko: '저는|제가|저희|우리|우리는|는데|인데|은데',
  nl: 'ik|wij|we|mijn|onze|ons',
  no: 'jeg|vi|min|mitt|mine',
  pl: 'mam|jestem|mamy|jesteśmy|pracuję|pracujemy|mój|moja|moje|nasz|nasza',
  pt: 'tenho|temos|sou|estou|estamos|trabalho|trabalhamos|meu|minha|nosso|nossa',
  ro: 'am|sunt|avem|suntem|meu|mea|lucrez',
  ru: 'я|мы|мне|нам|мой|моя|моему|моей|у меня|у нас',
  sv: 'jag|vi|min|mitt|mina|vår',
  tr: 'ben|biz|benim|bizim|yaşındayım|\\p{L}{2,}[ıiuü]yorum|\\p{L}{2,}[ıiuü]yoruz|\\p{L}{2,}[dt][ıiuü]m|\\p{L}{2,}[dt][ıiuü]k',
  uk: 'я|ми|мені|нам|мій|моя|моєму|моїй|у мене|у нас|маю|маємо',
  vi: 'tôi|em|mình|chúng tôi|nhà tôi',
  zh: '我|我们|我們|咱们',
};
const WITHOUT_SPACES = new Set(['ja', 'ko', 'zh']);
/** Between clauses; not within a number. */
const CLAUSE_END = /(?<=[;、，；])|(?<=,)(?!\p{Nd})|(?<=[:—–])(?! ?\p{Nd})/u;
const NUMBER = /\p{Nd}+(?:[.,]\p{Nd}+)*/gu;
/** A year names what is asked about: "we were there in 2019", and not "we spent 2019 €". */
const YEAR = /^(?:1[5-9]|20)\d\d$/;
const UNIT = /^ ?(\p{L}+|[\p{Sc}%°])/u;
const MEASURE = /^(?:[%°]|[ckm]?m|k?g|kwh|l)$/;
const CURRENCY_BEFORE = /\p{Sc} ?$/u;

/**
 * Finds the numbers in clauses where people describe their own situation before they ask. "I have worked here
 * for 3 years, how much leave do I get?" is answered by a rule about years, whatever numbers it has.
 */
export function findOwnCircumstances(question: string): ReadonlySet<string> {
  const language = detectQuestionLanguage(question);
  const own = OWN[language ?? ''];
  const clauses = normalizeText(question).split(CLAUSE_END);
  if (own === undefined || clauses.length < 2) return new Set();
  const pattern = WITHOUT_SPACES.has(language ?? '')
    ? new RegExp(own, 'u')
    : new RegExp(`(?<![\\p{L}\\p{M}])(?:${own})(?![\\p{L}\\p{M}])`, 'iu');
  return new Set(
    clauses
      .slice(0, -1)
      .filter((clause) => pattern.test(clause))
      .flatMap((clause) =>
        [...clause.matchAll(NUMBER)]
          .filter(({ 0: number, index }) => {
            const unit = UNIT.exec(clause.slice(index + number.length))?.[1] ?? '';
            const isAmount = isCurrency(unit) || CURRENCY_BEFORE.test(clause.slice(0, index));
            return !YEAR.test(number) || isAmount || MEASURE.test(unit);
          })
          // "1,000" is two words.
          .flatMap(([number]) => number.split(/[.,]/)),
      ),
  );
}
