/** Elements of a DOCX whose content is left out: deleted text, metadata, the fallback copy of a drawing, and
 *  phonetic guides. */
export const DOCX_LEFT_OUT = new Set([
  'del',
  'moveFrom',
  'delText',
  'instrText',
  'delInstrText',
  'Fallback',
  'rt',
  'pPrChange',
  'rPrChange',
  'tblPrChange',
  'trPrChange',
  'tcPrChange',
  'sectPrChange',
  'docPr',
  'posOffset',
  'align',
]);

/** Elements of an ODT whose content is left out: deleted text, comments, tables of contents, metadata. */
export const ODT_LEFT_OUT = new Set([
  'tracked-changes',
  'annotation',
  'annotation-end',
  'table-of-content',
  'alphabetical-index',
  'illustration-index',
  'table-index',
  'note-citation',
  'covered-table-cell',
  'page-number',
  'page-count',
  'ruby-text',
  'title',
  'desc',
  'forms',
  'hidden-text',
  'sequence-decls',
]);
