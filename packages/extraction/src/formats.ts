import type { Reader } from './block.js';

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument';
export const PDF = 'application/pdf';
export const DOCX = `${OFFICE}.wordprocessingml.document`;
export const PPTX = `${OFFICE}.presentationml.presentation`;
export const XLSX = `${OFFICE}.spreadsheetml.sheet`;
export const ODT = `${OPEN_DOCUMENT}.text`;
export const ODS = `${OPEN_DOCUMENT}.spreadsheet`;
export const ODP = `${OPEN_DOCUMENT}.presentation`;
export const RTF = 'application/rtf';
export const DOC = 'application/msword';
export const XLS = 'application/vnd.ms-excel';
export const PPT = 'application/vnd.ms-powerpoint';
export const MSG = 'application/vnd.ms-outlook';
export const EPUB = 'application/epub+zip';
export const EML = 'message/rfc822';
export const HTML = 'text/html';
export const MARKDOWN = 'text/markdown';
export const CSV = 'text/csv';
/** An archive of documents, which has no reader: each of its files is a document. */
export const ZIP = 'application/zip';
/** Names of folders, and of files that programs add to archives beside the user's own. */
export const NO_FILE = /(?:^|\/)(?:__MACOSX\/|\.|Thumbs\.db$|desktop\.ini$)|\/$/;
export const XML = 'application/xml';
export const TEXT = 'text/plain';

/** A format of documents that can be read. */
export interface Format {
  /** The common name of the format. */
  readonly name: string;
  /** In lower case, without a dot; saved files get the first one. */
  readonly extensions: readonly string[];
  /** Whether its files are text, so that only their name or sender tells the format. */
  readonly isText: boolean;
  /** Loads its reader only when it is needed, since most of their libraries are large. */
  readonly load: () => Promise<Reader>;
}

const formats = new Map<string, Format>();
/** The formats that can be read, by their media type. */
export const FORMATS: ReadonlyMap<string, Format> = formats;

const add = (type: string, name: string, extensions: string[], load: Format['load']) =>
  formats.set(type, { name, extensions, isText: false, load });
const addText = (type: string, name: string, extensions: string[], load: Format['load']) =>
  formats.set(type, { name, extensions, isText: true, load });

add(PDF, 'PDF', ['pdf'], async () => (await import('./pdf/read-pdf.js')).readPdf);
add(DOCX, 'DOCX', ['docx'], async () => (await import('./read-docx.js')).readDocx);
add(PPTX, 'PPTX', ['pptx'], async () => (await import('./read-pptx.js')).readPptx);
add(XLSX, 'XLSX', ['xlsx'], async () => (await import('./read-xlsx.js')).readXlsx);
add(ODT, 'ODT', ['odt'], async () => (await import('./read-odt.js')).readOdt);
add(ODS, 'ODS', ['ods'], async () => (await import('./read-ods.js')).readOds);
add(ODP, 'ODP', ['odp'], async () => (await import('./read-odp.js')).readOdp);
add(DOC, 'DOC', ['doc'], async () => (await import('./read-legacy-office.js')).readDoc);
add(XLS, 'XLS', ['xls'], async () => (await import('./read-legacy-office.js')).readXls);
add(PPT, 'PPT', ['ppt'], async () => (await import('./read-legacy-office.js')).readPpt);
add(RTF, 'RTF', ['rtf'], async () => (await import('./read-rtf.js')).readRtf);
add(EPUB, 'EPUB', ['epub'], async () => (await import('./read-epub.js')).readEpub);
add(EML, 'EML', ['eml'], async () => (await import('./read-eml.js')).readEml);
add(MSG, 'MSG', ['msg'], async () => (await import('./read-msg.js')).readMsg);
const HTML_EXTENSIONS = ['html', 'htm', 'xhtml'];
addText(HTML, 'HTML', HTML_EXTENSIONS, async () => (await import('./read-html.js')).readHtml);
const MARKDOWN_EXTENSIONS = ['md', 'mdx', 'markdown'];
const loadMarkdown = async () => (await import('./read-markdown.js')).readMarkdown;
addText(MARKDOWN, 'Markdown', MARKDOWN_EXTENSIONS, loadMarkdown);
addText(CSV, 'CSV', ['csv', 'tsv'], async () => (await import('./read-csv.js')).readCsv);
const JSON_EXTENSIONS = ['json', 'jsonl', 'ndjson', 'geojson'];
const loadJson = async () => (await import('./values/read-json.js')).readJson;
addText('application/json', 'JSON', JSON_EXTENSIONS, loadJson);
const loadXml = async () => (await import('./values/read-xml-document.js')).readXmlDocument;
addText(XML, 'XML', ['xml', 'nxml'], loadXml);
const loadNotebook = async () => (await import('./read-notebook.js')).readNotebook;
addText('application/x-ipynb+json', 'Jupyter notebooks', ['ipynb'], loadNotebook);
const loadTranscript = async () => (await import('./read-transcript.js')).readTranscript;
addText('text/vtt', 'VTT', ['vtt'], loadTranscript);
addText('application/x-subrip', 'SRT', ['srt'], loadTranscript);
const ASCIIDOC_EXTENSIONS = ['adoc', 'asciidoc'];
const loadAsciidoc = async () => (await import('./read-asciidoc.js')).readAsciidoc;
addText('text/asciidoc', 'AsciiDoc', ASCIIDOC_EXTENSIONS, loadAsciidoc);
addText(
  'text/x-rst',
  'reStructuredText',
  ['rst', 'rest'],
  async () => (await import('./markup/read-rst.js')).readRst,
);
addText('text/org', 'Org', ['org'], async () => (await import('./markup/read-org.js')).readOrg);
const loadLatex = async () => (await import('./markup/latex/read-latex.js')).readLatex;
addText('application/x-tex', 'LaTeX', ['tex', 'latex', 'ltx'], loadLatex);
const loadPicture = async () => (await import('./read-picture.js')).readPicture;
add('image/png', 'PNG', ['png'], loadPicture);
add('image/jpeg', 'JPEG', ['jpg', 'jpeg'], loadPicture);
add('image/tiff', 'TIFF', ['tif', 'tiff'], loadPicture);
add('image/webp', 'WebP', ['webp'], loadPicture);
add(TEXT, 'text', ['txt', 'text', 'log'], async () => (await import('./read-text.js')).readText);
