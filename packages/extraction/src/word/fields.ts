import { attribute, type Attributes } from '../archive/xml.js';
import { readSymbols } from '../characters/symbol-fonts.js';

interface Field {
  code: string;
  hasResult: boolean;
  /** Whether the field, or one around it, displays a page number. */
  isPageNumber: boolean;
}

const MAX_CODE = 200;
/** Deeper fields are ignored; Word itself nests at most 20. */
const MAX_DEPTH = 100;
const PAGE_NUMBER = /^\s*(?:PAGE|NUMPAGES|SECTIONPAGES)\b/i;
const SYMBOL = /^\s*SYMBOL\s+(0x[\da-f]{1,4}|\d{1,5})\b(?:[^\\]*\\f\s*"?([^"\\]{1,50}))?/i;

/** The open fields of Word, which compute what they display. */
export class Fields {
  private readonly fields: Field[] = [];
  /** The number of open fields that are nested too deeply. */
  private passedOver = 0;

  /** @returns whether the element belongs to a field */
  open(name: string, attributes: Attributes): boolean {
    if (name === 'fldSimple') {
      this.begin(attribute(attributes, 'instr') ?? '');
      this.beginResult();
      return true;
    }
    if (name !== 'fldChar') return false;
    const type = attribute(attributes, 'fldCharType');
    if (type === 'begin') this.begin('');
    else if (type === 'separate') this.beginResult();
    return true;
  }

  addCode(text: string): void {
    const field = this.innermost;
    if (field && field.code.length < MAX_CODE) field.code += text;
  }

  /** Ends a field. @returns the symbol that it draws, if it has no other result */
  end(): string {
    if (this.passedOver > 0) {
      this.passedOver--;
      return '';
    }
    const field = this.fields.pop();
    const [, number, font] = SYMBOL.exec(field?.code ?? '') ?? [];
    if (number === undefined || field?.hasResult) return '';
    return readSymbols(String.fromCharCode(Number(number)), font?.trim());
  }

  /** Whether the current text is a page number. */
  get isPageNumber(): boolean {
    return this.fields.at(-1)?.isPageNumber ?? false;
  }

  /** The innermost open field. */
  private get innermost(): Field | undefined {
    return this.passedOver > 0 ? undefined : this.fields.at(-1);
  }

  private begin(code: string): void {
    if (this.fields.length < MAX_DEPTH) {
      this.fields.push({ code, hasResult: false, isPageNumber: this.isPageNumber });
    } else this.passedOver++;
  }

  private beginResult(): void {
    const field = this.innermost;
    if (!field) return;
    field.hasResult = true;
    field.isPageNumber ||= PAGE_NUMBER.test(field.code);
  }
}
