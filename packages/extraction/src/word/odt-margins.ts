import type { Attributes, XmlHandler } from '../archive/xml.js';
import { OdtBody } from './odt-body.js';
import type { OdtStyles } from './odt-styles.js';

const MARGIN = /^(header|footer)(?:-left|-first)?$/;

/** Reads the headers and footers of pages from the styles of an ODT. */
export class OdtMargins implements XmlHandler {
  readonly headers: OdtBody[] = [];
  readonly footers: OdtBody[] = [];
  private inMaster = false;
  private margin: string | undefined;
  private body: OdtBody | undefined;

  constructor(private readonly styles: OdtStyles) {}

  open(name: string, attributes: Attributes): void {
    if (name === 'master-page') this.inMaster = true;
    else if (this.body) this.body.open(name, attributes);
    else if (this.inMaster && MARGIN.test(name)) {
      this.margin = name;
      this.body = new OdtBody(this.styles);
      this.body.open('body', {});
      (name.startsWith('header') ? this.headers : this.footers).push(this.body);
    }
  }

  text(text: string): void {
    this.body?.text(text);
  }

  close(name: string): void {
    if (name === this.margin) this.body = this.margin = undefined;
    else this.body?.close(name);
    if (name === 'master-page') this.inMaster = false;
  }
}
