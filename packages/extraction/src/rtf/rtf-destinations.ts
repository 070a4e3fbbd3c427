/** Groups whose content is not text of the document. */
export const RTF_LEFT_OUT: ReadonlySet<string> = new Set(
  (
    'colortbl info objdata ' +
    'listtable listoverridetable revtbl rsidtbl generator themedata colorschememapping datastore ' +
    'latentstyles xmlnstbl annotation atnid atnauthor atnref atndate atnparent bkmkstart bkmkend tc xe ' +
    'sn sv htmltag mhtmltag nonshppict filetbl fontemb private template falt panose listname ' +
    'ftnsep ftnsepc aftnsep aftnsepc userprops docvar do nextfile operator company mmathPr ' +
    'nonesttables'
  ).split(' '),
);

/** Groups for headers and footers of all, left, right and first pages. */
export const RTF_MARGINS: ReadonlyMap<string, 'headers' | 'footers'> = new Map([
  ...['header', 'headerl', 'headerr', 'headerf'].map((word) => [word, 'headers'] as const),
  ...['footer', 'footerl', 'footerr', 'footerf'].map((word) => [word, 'footers'] as const),
]);

/** Groups that old programs skip, although they contain text of the document. */
export const RTF_KEPT: ReadonlySet<string> = new Set([
  'fldinst',
  'shpinst',
  'shptxt',
  'footnote',
  'shppict',
  'pn',
  'nesttableprops',
  'listtext',
  'pntext',
]);

/** Characters written as control words. */
export const RTF_CHARACTERS: Readonly<Record<string, string>> = {
  tab: '\t',
  line: '\n',
  lbr: '\n',
  emdash: '—',
  endash: '–',
  emspace: ' ',
  enspace: ' ',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  bullet: '•',
  '~': '\u00a0',
  _: '-',
};
