import { attribute, type Attributes, type XmlHandler } from '../archive/xml.js';
import { accent, base, group, signs } from './latex-signs.js';

interface Part {
  readonly name: string;
  readonly attributes: Attributes;
  readonly parts: Part[];
  text: string;
}

/** The operator that Office uses if a sum or integral names none. */
const DEFAULT_OPERATOR = '∫';

/** Reads a formula of Word or PowerPoint (OMML), whose root is `oMath`, as LaTeX. */
export class OfficeFormula implements XmlHandler {
  private readonly opened: Part[] = [];
  private root: Part | undefined;

  open(name: string, attributes: Attributes): void {
    const part: Part = { name, attributes, parts: [], text: '' };
    this.opened.at(-1)?.parts.push(part);
    this.root ??= part;
    this.opened.push(part);
  }

  text(text: string): void {
    const part = this.opened.at(-1);
    if (part?.name === 't') part.text += text;
  }

  /** @returns the formula when it ends */
  close(): string | undefined {
    this.opened.pop();
    if (this.opened.length > 0 || !this.root) return undefined;
    return inside(this.root).replace(/ +/g, ' ').trim();
  }
}

const inside = (part: Part | undefined): string => part?.parts.map(toLatex).join('') ?? '';

function toLatex(part: Part): string {
  const find = (name: string) => part.parts.find((each) => each.name === name);
  const all = (name: string) => part.parts.filter((each) => each.name === name);
  const latexIn = (name: string) => inside(find(name));
  const property = (name: string): string | undefined => {
    const properties = part.parts.find((each) => each.name === `${part.name}Pr`);
    const found = properties?.parts.find((each) => each.name === name);
    return found && (attribute(found.attributes, 'val') ?? '');
  };
  switch (part.name) {
    case 't':
      return signs(part.text);
    case 'f':
      return property('type') === 'lin'
        ? `${base(latexIn('num'))}/${base(latexIn('den'))}`
        : `\\frac${group(latexIn('num'))}${group(latexIn('den'))}`;
    case 'sSup':
      return `${base(latexIn('e'))}^${base(latexIn('sup'))}`;
    case 'sSub':
      return `${base(latexIn('e'))}_${base(latexIn('sub'))}`;
    case 'sSubSup':
      return `${base(latexIn('e'))}_${base(latexIn('sub'))}^${base(latexIn('sup'))}`;
    case 'sPre':
      return `{}_${base(latexIn('sub'))}^${base(latexIn('sup'))}${latexIn('e')}`;
    case 'rad': {
      const degree = latexIn('deg').trim();
      return `\\sqrt${degree === '' ? '' : `[${degree}]`}${group(latexIn('e'))}`;
    }
    case 'nary': {
      const [sub, sup] = [latexIn('sub'), latexIn('sup')];
      const operator = signs(property('chr') ?? DEFAULT_OPERATOR).trim();
      const limits = (sub && `_${base(sub)}`) + (sup && `^${base(sup)}`);
      return `${operator}${limits} ${latexIn('e')}`;
    }
    case 'd': {
      const [open, close] = [property('begChr') ?? '(', property('endChr') ?? ')'].map(signs);
      const separator = signs(property('sepChr') ?? '|');
      return `\\left${open || '.'}${all('e').map(inside).join(separator)}\\right${close || '.'}`;
    }
    case 'func':
      return `${latexIn('fName')}${base(latexIn('e'))}`;
    case 'limLow':
      return `${base(latexIn('e'))}_${base(latexIn('lim'))}`;
    case 'limUpp':
      return `${base(latexIn('e'))}^${base(latexIn('lim'))}`;
    case 'acc':
      return `\\${accent(property('chr') ?? '^') ?? 'hat'}${group(latexIn('e'))}`;
    case 'bar':
      return `\\${property('pos') === 'top' ? 'overline' : 'underline'}${group(latexIn('e'))}`;
    case 'groupChr':
      return `\\${accent(property('chr') ?? '⏟') ?? 'underline'}${group(latexIn('e'))}`;
    case 'm':
      return `\\begin{matrix}${all('mr').map(joinCells).join(' \\\\ ')}\\end{matrix}`;
    case 'eqArr':
      return `\\begin{matrix}${all('e').map(inside).join(' \\\\ ')}\\end{matrix}`;
    case 'phant':
      return '';
    default:
      return inside(part);
  }
}

const joinCells = (row: Part): string =>
  row.parts
    .filter(({ name }) => name === 'e')
    .map(inside)
    .join(' & ');
