import { gunzipSync } from 'node:zlib';
import { detectLanguage } from '../detect-language.js';
import { findDataName, getScriptLanguages } from './languages.js';
import { type PageImage, type PageImages, toPgm } from './page-image.js';
import { toRecognisedText } from './page-text.js';
import type { RecognisedText } from './recognised-page.js';
import {
  type TesseractApi,
  type TesseractCore,
  tesseractCore,
  type TextBlock,
} from './tesseract-core.js';

/** Loads Tesseract's compressed data of a language; undefined if it is not installed. */
export type LanguageData = (name: string) => Promise<Uint8Array | undefined>;

export interface RecognitionResult {
  readonly page: RecognisedText;
  /** The languages that it was recognised in, as BCP 47. */
  readonly languages: readonly string[];
}

const DEFAULT_LANGUAGE = 'en';
/** The script of a page is guessed from single letters; below this the guess may be wrong. */
const SURE_SCRIPT = 1;
/** A page is turned only if its orientation is this sure. */
const SURE_TURN = 3;
/** If a page in an uncertain script has less confidence, other scripts are tried too. */
const GOOD_CONFIDENCE = 75;
/** The loss of confidence accepted for the language that the text turned out to be in. */
const SAME_CONFIDENCE = 5;
/** The language of a page with fewer letters is not detected. */
const MIN_LETTERS = 80;
const OLD_ENGINE = 0;
const NEURAL_ENGINE = 1;
/** Finds the blocks, columns and lines of a page. */
const WHOLE_PAGE = '3';
/** Lines that are less askew are read as they are. */
const MIN_ANGLE = 0.005;
/** Quarter turns to the right that set a page upright, by Tesseract's number of its orientation. */
const TURNS = [0, 3, 2, 1];

/** Recognises the pages of a document. */
export class Recogniser {
  private core: Promise<TesseractCore> | undefined;
  private detecting: TesseractApi | undefined;
  private reading: { readonly api: TesseractApi; readonly names: string } | undefined;
  private readonly written = new Set<string>();

  /** @param progress called after each attempt at a page */
  constructor(
    private readonly data: LanguageData,
    private readonly progress: () => void,
  ) {}

  /**
   * @param number from 1
   * @param languages as BCP 47; empty to detect the language
   * @returns null for a page that cannot be drawn
   */
  async recognise(
    images: PageImages,
    number: number,
    languages: readonly string[],
  ): Promise<RecognitionResult | null> {
    const lying = await images.draw(number, 0);
    if (!lying) return null;
    const { script, isSure, turns } = await this.detectScript(lying);
    const image = turns === 0 ? lying : ((await images.draw(number, turns)) ?? lying);
    this.progress();
    const given = await this.filterInstalled(languages);
    const missing = languages.filter((tag) => !given.includes(tag));
    const { page, languages: read } =
      given.length > 0
        ? await this.read(image, number, given)
        : await this.recogniseDetected(image, number, script, isSure);
    const isTurned = image !== lying;
    return {
      page: { ...page, ...(isTurned && { turns }), ...(missing.length > 0 && { missing }) },
      languages: read,
    };
  }

  /** Recognises a page in the language that it seems to be in. */
  private async recogniseDetected(
    image: PageImage,
    number: number,
    script: string,
    isSure: boolean,
  ): Promise<RecognitionResult> {
    const [likely = DEFAULT_LANGUAGE] = await this.filterInstalled(getScriptLanguages(script));
    let best = await this.read(image, number, [likely]);
    if (!isSure && likely !== DEFAULT_LANGUAGE && best.page.confidence < GOOD_CONFIDENCE) {
      const other = await this.read(image, number, [DEFAULT_LANGUAGE]);
      if (other.page.confidence > best.page.confidence) best = other;
    }
    const spoken = detectPageLanguage(best.page);
    if (spoken === null || best.languages.includes(spoken)) return best;
    if ((await this.filterInstalled([spoken])).length === 0) return best;
    const again = await this.read(image, number, [spoken]);
    return again.page.confidence >= best.page.confidence - SAME_CONFIDENCE ? again : best;
  }

  /** Which script a page has, and how often it must be turned to the right to stand upright. */
  private async detectScript(image: PageImage) {
    const core = await this.loadCore();
    if (!this.detecting) {
      await this.writeLanguageData('osd');
      this.detecting = new core.TessBaseAPI();
      this.detecting.Init(null, 'osd', OLD_ENGINE);
    }
    core.FS.writeFile('/input', toPgm(image));
    this.detecting.SetImageFile(1, 0);
    const found = new core.OSResults();
    // The page has too few letters.
    if (!this.detecting.DetectOS(found)) return { script: '', isSure: false, turns: 0 };
    const { orientation_id, script_id, sconfidence, oconfidence } = found.best_result;
    return {
      script: found.unicharset.get_script_from_script_id(script_id),
      isSure: sconfidence >= SURE_SCRIPT,
      turns: oconfidence >= SURE_TURN ? (TURNS[orientation_id] ?? 0) : 0,
    };
  }

  private async read(
    image: PageImage,
    number: number,
    languages: readonly string[],
  ): Promise<RecognitionResult> {
    const core = await this.loadCore();
    const api = await this.prepareReader(languages);
    api.SetVariable('user_defined_dpi', String(Math.round(image.dpi)));
    core.FS.writeFile('/input', toPgm(image));
    api.SetImageFile(1, 0);
    api.FindLines();
    const angle = api.GetGradient();
    const isAskew = Math.abs(angle) >= MIN_ANGLE;
    if (isAskew) api.SetImageFile(1, angle);
    api.Recognize(null);
    const { blocks } = JSON.parse(api.GetJSONText()) as { blocks: readonly TextBlock[] };
    this.progress();
    return {
      page: { ...toRecognisedText(number, blocks, image), ...(isAskew && { angle }) },
      languages,
    };
  }

  private async prepareReader(languages: readonly string[]): Promise<TesseractApi> {
    const core = await this.loadCore();
    const names = languages.flatMap((tag) => findDataName(tag) ?? []);
    for (const name of names) await this.writeLanguageData(name);
    const joined = names.join('+');
    if (this.reading?.names === joined) return this.reading.api;
    this.reading?.api.End();
    const api = this.reading?.api ?? new core.TessBaseAPI();
    if (!initialise(api, joined)) throw new Error(`The data of ${joined} cannot be used.`);
    // The library's default treats a page as a single column.
    api.SetVariable('tessedit_pageseg_mode', WHOLE_PAGE);
    this.reading = { api, names: joined };
    return api;
  }

  private loadCore(): Promise<TesseractCore> {
    return (this.core ??= tesseractCore());
  }

  private async writeLanguageData(name: string): Promise<void> {
    if (this.written.has(name)) return;
    const data = await this.data(name);
    if (!data) throw new Error(`The data of ${name} are missing.`);
    (await this.loadCore()).FS.writeFile(`/${name}.traineddata`, gunzipSync(data));
    this.written.add(name);
  }

  private async filterInstalled(languages: readonly string[]): Promise<string[]> {
    const found: string[] = [];
    for (const tag of languages) {
      const name = findDataName(tag);
      if (name !== undefined && (await this.data(name))) found.push(tag);
    }
    return found;
  }
}

/** @returns whether the data files of the languages can be used */
export const initialise = (api: TesseractApi, names: string): boolean =>
  api.Init(null, names, NEURAL_ENGINE) === 0;

function detectPageLanguage({ rows }: RecognisedText): string | null {
  const lines = rows.map(({ segments }) => segments.map(({ text }) => text).join(' '));
  const text = lines.join('\n');
  return text.length < MIN_LETTERS ? null : detectLanguage([text]);
}
