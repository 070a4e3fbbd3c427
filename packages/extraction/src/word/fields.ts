import { attribute, type Attributes } from '../archive/xml.js';
import { readSymbols } from '../characters/symbol-fonts.js';

interface Field {
  code: string;
  hasResult: boolean;
}

const MAX_CODE = 200;
const PAGE_NUMBER = /^\s*(?:PAGE|NUMPAGES|SECTIONPAGES)\b/i;
const SYMBOL = /^\s*SYMBOL\s+(0x[\da-f]{1,4}|\d{1,5})\b(?:[^\\]*\\f\s*"?([^"\\]{1,50}))?/i;

/** Fields of Word, which compute what they display. */
export class Fields {
  private readonly fields: Field[] = [];

  /** @returns whether the element is one of a field */
  open(name: string, attributes: Attributes): boolean {
    if (name === 'fldSimple') {
      this.fields.push({ code: attribute(attributes, 'instr') ?? '', hasResult: true });
      return true;
    }
    if (name !== 'fldChar') return false;
    const type = attribute(attributes, 'fldCharType');
    const field = this.fields.at(-1);
    if (type === 'begin') this.fields.push({ code: '', hasResult: false });
    else if (type === 'separate' && field) field.hasResult = true;
    return true;
  }

  addCode(text: string): void {
    const field = this.fields.at(-1);
    if (field && field.code.length < MAX_CODE) field.code += text;
  }

  /** Ends a field. @returns the sign that it draws, if it has no other result */
  end(): string {
    const field = this.fields.pop();
    const [, number, font] = SYMBOL.exec(field?.code ?? '') ?? [];
    if (number === undefined || field?.hasResult) return '';
    return readSymbols(String.fromCharCode(Number(number)), font?.trim());
  }

  /** Whether the text here is the number of a page. */
  get isPageNumber(): boolean {
    return this.fields.some(({ code, hasResult }) => hasResult && PAGE_NUMBER.test(code));
  }
}
