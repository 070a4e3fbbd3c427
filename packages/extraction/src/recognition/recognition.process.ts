import { once } from 'node:events';
import sharp from 'sharp';
import { isMissingFile, watchProcess } from '../process-watch.js';
import { NOT_INSTALLED } from '../watched-process.js';
import { Unreadable, type UnreadableCode } from '../unreadable.js';
import { openDocumentImages } from './document-images.js';
import type { PageImage, PageImages } from './page-image.js';
import type { SentPage } from './server-answers.js';
import { openLanguageData } from './language-data.js';
import { type RecognitionResult, Recogniser } from './recogniser.js';

/** Pages of one document to recognise. */
export interface RecognitionTask {
  readonly mimeType: string;
  readonly content: Uint8Array;
  /** From 1. */
  readonly pages: readonly number[];
  /** As BCP 47; empty to detect the language. */
  readonly languages: readonly string[];
  /** The folder with further installed languages. */
  readonly languageFolder: string | null;
  /** Whether pages are only drawn, for a server. Each page waits for the message `next`. */
  readonly isDrawing: boolean;
}

/** A page as PNG. */
export interface PagePng extends SentPage {
  readonly png: Uint8Array;
}

/** Sent for each page as soon as it is recognised or drawn; null if it cannot be drawn. */
export type RecognitionMessage =
  | 'started'
  | 'done'
  | { readonly number: number; readonly recognition: RecognitionResult | null }
  | { readonly number: number; readonly drawn: PagePng | null }
  | { readonly unreadable: { code: UnreadableCode; message: string } };

/** Limits the memory of the whole process: a large page, and the data of two or three languages. */
const MAX_BYTES = 640 * 1024 * 1024;
/** Progress is made with each attempt at a page, of which a good one takes 1 to 6 s. */
const LIMITS = {
  cpuWithoutProgress: 15_000,
  wallWithoutProgress: 120_000,
  minCpuOfWall: 5000,
  cpu: 45_000,
  cpuPerPart: 15_000,
  wall: 3_600_000,
};

/** A page with less confidence is probably in another language than the one tried. */
const POOR_CONFIDENCE = 60;

const watch = watchProcess(MAX_BYTES, LIMITS);
const send = (message: RecognitionMessage) => process.send?.(message);

process.once('message', (task: RecognitionTask) => {
  void answer(task);
});

async function answer(task: RecognitionTask): Promise<void> {
  const { mimeType, content, pages } = task;
  await watch.ready;
  send('started');
  try {
    watch.begin();
    const images = await openDocumentImages(mimeType, content, pages, watch.progress);
    watch.end();
    await (task.isDrawing ? draw(images, pages) : recognise(images, task));
    images.close();
  } catch (error) {
    if (isMissingFile(error)) process.exit(NOT_INSTALLED);
    const { code, message } =
      error instanceof Unreadable
        ? error
        : { code: 'parse_failed' as const, message: 'The document could not be read.' };
    send({ unreadable: { code, message } });
  }
  send('done');
}

async function recognise(images: PageImages, task: RecognitionTask): Promise<void> {
  const { pages, languages, languageFolder } = task;
  const recogniser = new Recogniser(openLanguageData(languageFolder), watch.progress);
  let known = languages;
  for (const number of pages) {
    watch.begin();
    let recognition = await recogniser.recognise(images, number, known);
    const isPoor = (recognition?.page.confidence ?? 100) < POOR_CONFIDENCE;
    // The page is probably in another language than the previous ones.
    if (isPoor && known.length > languages.length) {
      recognition = await recogniser.recognise(images, number, languages);
    }
    watch.end();
    if (recognition && recognition.page.rows.length > 0) known = recognition.languages;
    send({ number, recognition });
  }
}

async function draw(images: PageImages, pages: readonly number[]): Promise<void> {
  for (const number of pages) {
    watch.begin();
    const image = await images.draw(number, 0);
    const drawn = image && { ...pickSize(image), number, png: await toPng(image) };
    watch.end();
    const isAskedForNext = once(process, 'message');
    send({ number, drawn });
    // Further pages would only fill the memory of the service until the server has read this one.
    await isAskedForNext;
  }
}

const pickSize = ({ width, height, dpi }: PageImage) => ({ width, height, dpi });

const toPng = ({ width, height, pixels }: PageImage): Promise<Uint8Array> =>
  sharp(pixels, { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer();
