import { matchesWildcard } from './wildcard.js';

/** More rules for one crawler than any website has; each of them is compared with every address. */
const MAX_RULES = 10_000;
/** A path that a rule with more characters matches is longer than addresses may be. */
const MAX_PATTERN = 1000;

interface Rule {
  readonly isAllowed: boolean;
  /** How much of an address it names; the rule that names most decides. */
  readonly length: number;
  matches(path: string): boolean;
}

/** Thrown for a robots.txt whose rules are too many to be kept to. */
export class TooManyRules extends Error {
  override name = 'TooManyRules';
}

/** What a robots.txt says to one crawler, as RFC 9309 has it. */
export class RobotsRules {
  /** Seconds between two requests, if it asks for a pause. */
  readonly crawlDelay: number | undefined;
  private readonly rules: readonly Rule[];

  /**
   * @param product the name by which the crawler calls itself, such as `Latchkey-Sources`
   * @throws TooManyRules
   */
  constructor(text: string, product: string) {
    const groups = readGroups(text, product.toLowerCase());
    const { rules, crawlDelay } = groups.own ?? groups.others;
    this.rules = rules;
    this.crawlDelay = crawlDelay;
  }

  allows(address: string): boolean {
    const { pathname, search } = new URL(address);
    const path = withUpperCaseEscapes(pathname + search);
    let deciding: Rule | undefined;
    for (const rule of this.rules) {
      const { length, isAllowed } = rule;
      const isWeaker =
        deciding !== undefined &&
        (length < deciding.length ||
          (length === deciding.length && (deciding.isAllowed || !isAllowed)));
      if (!isWeaker && rule.matches(path)) deciding = rule;
    }
    return deciding?.isAllowed ?? true;
  }
}

interface Group {
  readonly rules: Rule[];
  crawlDelay: number | undefined;
}

/** The groups of the crawler itself, as one, and those of all others. */
function readGroups(text: string, product: string) {
  const groups: { own: Group | undefined; readonly others: Group } = {
    own: undefined,
    others: { rules: [], crawlDelay: undefined },
  };
  let addressed = new Set<Group>();
  let isHead = false;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [field = '', value = ''] = readLine(line);
    if (field === '') continue;
    if (field === 'user-agent') {
      if (!isHead) addressed = new Set();
      const name = value.split('/', 1)[0]?.trim().toLowerCase();
      if (name === '*') addressed.add(groups.others);
      if (name === product) addressed.add((groups.own ??= { rules: [], crawlDelay: undefined }));
    }
    isHead = field === 'user-agent';
    for (const group of addressed) addTo(group, field, value);
  }
  return groups;
}

/** The field in lower case, and the value, without a comment. */
function readLine(line: string): string[] {
  const comment = line.indexOf('#');
  const said = comment === -1 ? line : line.slice(0, comment);
  const colon = said.indexOf(':');
  if (colon === -1) return [];
  return [said.slice(0, colon).trim().toLowerCase(), said.slice(colon + 1).trim()];
}

function addTo(group: Group, field: string, value: string): void {
  if (field === 'crawl-delay') {
    const seconds = Number(value);
    if (!Number.isNaN(seconds)) group.crawlDelay = seconds;
  }
  if ((field !== 'allow' && field !== 'disallow') || value === '') return;
  if (group.rules.length >= MAX_RULES) throw new TooManyRules();
  const rule = toRule(value, field === 'allow');
  if (rule) group.rules.push(rule);
}

function toRule(value: string, isAllowed: boolean): Rule | undefined {
  const pattern = withUpperCaseEscapes(encoded(value));
  const isWhole = pattern.endsWith('$');
  const named = isWhole ? pattern.slice(0, -1) : pattern;
  if (named.replaceAll('*', '').length > MAX_PATTERN) return undefined;
  // Each star more would be looked for once more, and stands for the same.
  const wildcard = (isWhole ? named : `${named}*`).replaceAll(/\*{2,}/g, '*');
  return { isAllowed, length: pattern.length, matches: (path) => matchesWildcard(wildcard, path) };
}

/** Other characters than those of addresses are written as they are by some, escaped by others. */
function encoded(value: string): string {
  try {
    return encodeURI(value).replaceAll('%25', '%');
  } catch {
    return value;
  }
}

const withUpperCaseEscapes = (path: string) =>
  path.replaceAll(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase());
