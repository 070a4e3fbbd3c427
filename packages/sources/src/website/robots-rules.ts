import { matchesWildcard } from './wildcard.js';

/** No real website has more rules for one crawler, and each is compared with every address. */
const MAX_RULES = 10_000;
/** A longer rule could only match addresses that exceed the allowed length. */
const MAX_PATTERN = 1000;

interface Rule {
  readonly isAllowed: boolean;
  /** The length of the pattern; the longest matching rule applies. */
  readonly length: number;
  matches(path: string): boolean;
}

/** Thrown if a robots.txt has too many rules. */
export class TooManyRules extends Error {
  override name = 'TooManyRules';
}

/** The rules of a robots.txt for one crawler, by RFC 9309. */
export class RobotsRules {
  /** The seconds between two requests, if the site asks for a pause. */
  readonly crawlDelay: number | undefined;
  private readonly rules: readonly Rule[];

  /**
   * @param product the product name of the crawler, such as `Latchkey-Sources`
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

/** Merges the groups for this crawler into one, and those for all crawlers into another. */
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

/** Reads the field, in lower case, and the value without a comment. */
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
  const pattern = withUpperCaseEscapes(encodeCharacters(value));
  const isWhole = pattern.endsWith('$');
  const named = isWhole ? pattern.slice(0, -1) : pattern;
  if (named.replaceAll('*', '').length > MAX_PATTERN) return undefined;
  // Consecutive stars are equivalent to one, but would each be searched for.
  const wildcard = (isWhole ? named : `${named}*`).replaceAll(/\*{2,}/g, '*');
  return { isAllowed, length: pattern.length, matches: (path) => matchesWildcard(wildcard, path) };
}

/** Some sites escape characters that URLs cannot contain, and others do not. */
function encodeCharacters(value: string): string {
  try {
    return encodeURI(value).replaceAll('%25', '%');
  } catch {
    return value;
  }
}

const withUpperCaseEscapes = (path: string) =>
  path.replaceAll(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase());
