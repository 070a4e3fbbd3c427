import { type Element, isElement, isText } from '../html/parse-html.js';
import { findAccent, wrapBase, wrapInBraces, writeSigns } from './latex-signs.js';

/** Writes MathML as LaTeX. */
export function mathmlToLatex(math: Element): string {
  return listChildren(math).map(toLatex).join('').replace(/ +/g, ' ').trim();
}

/** Missing parts of an element are treated as empty. */
function toLatex(element: Element): string {
  const children = listChildren(element);
  const part = (at: number): string => {
    const child = children[at];
    return child ? toLatex(child) : '';
  };
  const row = () => children.map(toLatex).join('');
  const limits = () => {
    const operator = part(0);
    return /\\(?:sum|prod|int|lim|max|min|sup|inf|bigcup|bigcap)/.test(operator) ? operator : '';
  };
  switch (element.name) {
    case 'mi':
    case 'mn':
    case 'mo':
    case 'ms':
      return writeSigns(textIn(element));
    case 'mtext':
      return `\\text{${textIn(element).replace(/[\\{}$%&#_]/g, '')}}`;
    case 'mspace':
      return ` ${row()}`;
    case 'mfrac':
      return `\\frac${wrapInBraces(part(0))}${wrapInBraces(part(1))}`;
    case 'msqrt':
      return `\\sqrt${wrapInBraces(row())}`;
    case 'mroot':
      return `\\sqrt[${part(1).trim()}]${wrapInBraces(part(0))}`;
    case 'msup':
      return `${wrapBase(part(0))}^${wrapBase(part(1))}`;
    case 'msub':
      return `${wrapBase(part(0))}_${wrapBase(part(1))}`;
    case 'msubsup':
      return `${wrapBase(part(0))}_${wrapBase(part(1))}^${wrapBase(part(2))}`;
    case 'munderover':
      return `${wrapBase(part(0))}_${wrapBase(part(1))}^${wrapBase(part(2))}`;
    case 'munder':
      return accented(part(0), children[1], limits() !== '' ? '_' : 'underset');
    case 'mover':
      return accented(part(0), children[1], limits() !== '' ? '^' : 'overset');
    case 'mfenced':
      return fenced(element, children);
    case 'mtable':
      return `\\begin{matrix}${children.map(toLatex).join(' \\\\ ')}\\end{matrix}`;
    case 'mtr':
    case 'mlabeledtr':
      return children.map(toLatex).join(' & ');
    case 'semantics':
      return part(0);
    case 'annotation':
    case 'annotation-xml':
    case 'mphantom':
    case 'none':
    case 'mprescripts':
      return '';
    default:
      return row();
  }
}

function accented(inside: string, sign: Element | undefined, otherwise: string): string {
  const command = sign && findAccent(textIn(sign));
  const other = sign ? toLatex(sign) : '';
  if (command !== undefined) return `\\${command}${wrapInBraces(inside)}`;
  return otherwise.length === 1
    ? `${wrapBase(inside)}${otherwise}${wrapBase(other)}`
    : `\\${otherwise}${wrapInBraces(other)}${wrapInBraces(inside)}`;
}

function fenced({ attribs }: Element, children: readonly Element[]): string {
  const open = writeSigns(attribs['open'] ?? '(');
  const close = writeSigns(attribs['close'] ?? ')');
  const separator = writeSigns((attribs['separators'] ?? ',').charAt(0));
  return `\\left${open || '.'}${children.map(toLatex).join(separator)}\\right${close || '.'}`;
}

const listChildren = (element: Element): Element[] => element.children.filter(isElement);

function textIn(element: Element): string {
  return element.children
    .map((child) => (isText(child) ? child.data : isElement(child) ? textIn(child) : ''))
    .join('');
}
