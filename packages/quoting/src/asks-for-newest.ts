import { normalizeText } from '@latchkey/text/fold-text';

/** Words by which a question asks for what holds now, which texts rarely say of themselves. */
const NEWEST: Readonly<Record<string, string>> = {
  ar: 'أحدث|آخر|الحالي|الحالية|حاليا|الآن',
  cs: 'aktuální|aktuálně|nejnovější|současný|současná|současné|nyní|teď',
  da: 'nyeste|seneste|nuværende|aktuelle|aktuelt',
  de: 'aktuell|aktuelle|aktuellen|aktueller|aktuelles|neueste|neuesten|neuester|neuestes|derzeit|derzeitige|derzeitigen|zurzeit|gegenwärtig|momentan|jetzt',
  en: 'latest|newest|current|currently|recent|nowadays|now|today',
  es: 'actual|actuales|actualmente|vigente|reciente|último|última|ahora|hoy',
  fi: 'uusin|nykyinen|viimeisin|nykyään|nyt',
  fr: 'actuel|actuelle|actuellement|récent|récente|dernier|dernière|maintenant',
  hu: 'legújabb|legfrissebb|jelenlegi|jelenleg|aktuális|most',
  id: 'terbaru|terkini|sekarang',
  it: 'attuale|attuali|attualmente|vigente|recente|ultimo|ultima|adesso|oggi',
  ja: '最新|現在|現行|今',
  ko: '최신|현재|지금|최근',
  nl: 'nieuwste|laatste|actueel|actuele|huidige|momenteel|nu',
  no: 'nyeste|siste|nåværende|gjeldende|aktuelle',
  pl: 'najnowszy|najnowsza|najnowsze|obecny|obecna|obecne|obecnie|aktualny|aktualna|aktualne|aktualnie|teraz',
  pt: 'atual|atuais|atualmente|vigente|recente|último|última|agora|hoje',
  ro: 'actual|actuală|recent|ultimul|acum',
  ru: 'последний|последняя|последнее|текущий|текущая|актуальный|актуальная|сейчас|нынешний',
  sv: 'senaste|nyaste|nuvarande|aktuell|aktuella|nu',
  tr: 'güncel|şimdi|şimdiki',
  uk: 'останній|остання|поточний|поточна|актуальний|зараз|чинний',
  vi: 'mới nhất|hiện tại|hiện nay|bây giờ',
  zh: '最新|目前|现在|現在|当前|當前|现行|現行|最近',
};
/** Words by which a question asks how several years compare. */
const COMPARES: Readonly<Record<string, string>> = {
  ar: 'تغير|تطور|مقارنة|كل عام|كل سنة',
  de: 'verglichen|vergleich|entwickel|verändert|geändert|gestiegen|gesunken|jahre|jahren|alle',
  en: 'compare|compared|change|changed|develop|developed|evolve|evolved|history|trend|rise|risen|years|all|each',
  es: 'cambiado|cambió|evolución|evolucionado|comparación|comparado|años|todos|todas|subido',
  fr: 'changé|évolution|évolué|comparaison|comparé|années|tous|toutes|augmenté',
  it: 'cambiato|evoluzione|confronto|confrontato|anni|tutti|tutte|aumentato',
  ja: '推移|変化|比較|各年|すべて|全て|毎年',
  nl: 'veranderd|vergelijking|vergeleken|ontwikkeld|jaren|alle|gestegen',
  pl: 'zmienił|zmieniła|zmieniło|zmieniały|porównanie|lata|latach|wszystkie|wzrosła|wzrosło',
  pt: 'mudou|evolução|evoluiu|comparação|anos|todos|todas|aumentou',
  ru: 'изменился|изменилась|изменилось|менялась|сравнение|годам|годы|все',
  zh: '变化|變化|比较|比較|历年|歷年|各年|每年|所有|趋势',
};
const WITHOUT_SPACES = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hangul}]/u;
const patterns = new Map<string, RegExp>();

/**
 * Finds where a question asks for what holds now, in its normalized text.
 *
 * @param codes the languages that it may be in, without region
 */
export const findNewestWords = (
  question: string,
  codes: readonly string[],
): [start: number, end: number][] =>
  codes.flatMap((code) =>
    [...normalizeText(question).matchAll(getPattern(NEWEST, code))].map(
      ({ 0: word, index }): [number, number] => [index, index + word.length],
    ),
  );

/** Whether a question may ask how years compare; then each is quoted. */
export const mayCompareYears = (question: string, codes: readonly string[]): boolean =>
  codes.some((code) => normalizeText(question).search(getPattern(COMPARES, code)) >= 0);

function getPattern(words: Readonly<Record<string, string>>, code: string): RegExp {
  const own = words[code] ?? '';
  const pattern = patterns.get(own) ?? buildPattern(own.split('|').filter(Boolean));
  patterns.set(own, pattern);
  return pattern;
}

const buildPattern = (words: readonly string[]): RegExp =>
  new RegExp(
    words
      .map((word) => normalizeText(word))
      .map((word) =>
        WITHOUT_SPACES.test(word) ? word : `(?<![\\p{L}\\p{M}])${word}(?![\\p{L}\\p{M}])`,
      )
      .join('|') || '(?!)',
    'gu',
  );
