import { attribute, type Attributes, type XmlHandler } from '../archive/xml.js';
import { findAccent, wrapBase, wrapInBraces, writeSigns } from './latex-signs.js';

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
    return writeParts(this.root).replace(/ +/g, ' ').trim();
  }
}

const writeParts = (part: Part | undefined): string => part?.parts.map(toLatex).join('') ?? '';

function toLatex(part: Part): string {
  const findPart = (name: string) => part.parts.find((each) => each.name === name);
  const filterParts = (name: string) => part.parts.filter((each) => each.name === name);
  const latexIn = (name: string) => writeParts(findPart(name));
  const readProperty = (name: string): string | undefined => {
    const properties = part.parts.find((each) => each.name === `${part.name}Pr`);
    const found = properties?.parts.find((each) => each.name === name);
    return found && (attribute(found.attributes, 'val') ?? '');
  };
  switch (part.name) {
    case 't':
      return writeSigns(part.text);
    case 'f':
      return readProperty('type') === 'lin'
        ? `${wrapBase(latexIn('num'))}/${wrapBase(latexIn('den'))}`
        : `\\frac${wrapInBraces(latexIn('num'))}${wrapInBraces(latexIn('den'))}`;
    case 'sSup':
      return `${wrapBase(latexIn('e'))}^${wrapBase(latexIn('sup'))}`;
    case 'sSub':
      return `${wrapBase(latexIn('e'))}_${wrapBase(latexIn('sub'))}`;
    case 'sSubSup':
      return `${wrapBase(latexIn('e'))}_${wrapBase(latexIn('sub'))}^${wrapBase(latexIn('sup'))}`;
    case 'sPre':
      return `{}_${wrapBase(latexIn('sub'))}^${wrapBase(latexIn('sup'))}${latexIn('e')}`;
    case 'rad': {
      const degree = latexIn('deg').trim();
      return `\\sqrt${degree === '' ? '' : `[${degree}]`}${wrapInBraces(latexIn('e'))}`;
    }
    case 'nary': {
      const [sub, sup] = [latexIn('sub'), latexIn('sup')];
      const operator = writeSigns(readProperty('chr') ?? DEFAULT_OPERATOR).trim();
      const limits = (sub && `_${wrapBase(sub)}`) + (sup && `^${wrapBase(sup)}`);
      return `${operator}${limits} ${latexIn('e')}`;
    }
    case 'd': {
      const [open, close] = [readProperty('begChr') ?? '(', readProperty('endChr') ?? ')'].map(
        writeSigns,
      );
      const separator = writeSigns(readProperty('sepChr') ?? '|');
      return `\\left${open || '.'}${filterParts('e').map(writeParts).join(separator)}\\right${close || '.'}`;
    }
    case 'func':
      return `${latexIn('fName')}${wrapBase(latexIn('e'))}`;
    case 'limLow':
      return `${wrapBase(latexIn('e'))}_${wrapBase(latexIn('lim'))}`;
    case 'limUpp':
      return `${wrapBase(latexIn('e'))}^${wrapBase(latexIn('lim'))}`;
    case 'acc':
      return `\\${findAccent(readProperty('chr') ?? '^') ?? 'hat'}${wrapInBraces(latexIn('e'))}`;
    case 'bar':
      return `\\${readProperty('pos') === 'top' ? 'overline' : 'underline'}${wrapInBraces(latexIn('e'))}`;
    case 'groupChr':
      return `\\${findAccent(readProperty('chr') ?? '⏟') ?? 'underline'}${wrapInBraces(latexIn('e'))}`;
    case 'm':
      return `\\begin{matrix}${filterParts('mr').map(joinCells).join(' \\\\ ')}\\end{matrix}`;
    case 'eqArr':
      return `\\begin{matrix}${filterParts('e').map(writeParts).join(' \\\\ ')}\\end{matrix}`;
    case 'phant':
      return '';
    default:
      return writeParts(part);
  }
}

const joinCells = (row: Part): string =>
  row.parts
    .filter(({ name }) => name === 'e')
    .map(writeParts)
    .join(' & ');
