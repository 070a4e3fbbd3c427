const MANY = [
  'how many|wie viele|wieviele|(?:hvor|hur) (?:mange|många)|kuinka monta|hány',
  'cuánt[oa]s|quant[ie]|quant[oa]s|câ(?:ți|te)',
];
const LONG = [
  'how (?:long|old|far|heavy|big|large|tall)|wie (?:la?nge|alt|schwer|groß)',
  '(?:hvor|hur) (?:længe|lenge|länge)|kuinka kauan|hoe (?:lang|zwaar|oud|groot)',
  'combien de temps|cuánto tiempo|quanto tempo|cât timp',
  'jak (?:dlouho|długo)|как долго|як довго|bao lâu',
];
const UNSPACED = {
  many: '何人|何個|何回|何名|何枚|何台|几个|幾個|几次|几名',
  long: '何分|何時間|何歳|何日間|何泊|多长|多大',
};

const toPattern = (forms: readonly string[], unspaced: string) =>
  new RegExp(`(?<![\\p{L}\\p{M}])(?:${forms.join('|')})(?![\\p{L}\\p{M}])|${unspaced}`, 'iu');
const ASKS_MANY = toPattern(MANY, UNSPACED.many);
const ASKS_LONG = toPattern(LONG, UNSPACED.long);

/**
 * What a question asks for that is no amount of money: how many things, or how long or big something is;
 * undefined for another one.
 */
export function findAskedCount(question: string): 'many' | 'long' | undefined {
  const text = question.normalize('NFC');
  if (ASKS_MANY.test(text)) return 'many';
  return ASKS_LONG.test(text) ? 'long' : undefined;
}
