import { Injectable } from '@nestjs/common';
import { APIError } from 'openai';
import type { PagePng } from '@latchkey/extraction/recognition/recognition.process';
import type { RecognisedText } from '@latchkey/extraction/recognition/recognised-page';
import {
  readDoclingPage,
  readPaddleOcrPage,
} from '@latchkey/extraction/recognition/server-answers';
import { parseResponse } from '@latchkey/text/parse-json';
import { Config } from '../../platform/config/config.js';
import { WorkerUnavailableError } from '../../platform/jobs/worker-errors.js';
import { openAiClient } from '../../platform/model-endpoints/client.js';
import { isRejection } from '../../platform/model-endpoints/endpoint-failure.js';
import { EndpointFailures } from '../../platform/model-endpoints/endpoint-failures.js';
import { retryOnce } from '../../platform/model-endpoints/retry-once.js';

const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
const RETRY_MS = 5000;

/** A white image of 64 by 64 pixels. */
const BLANK_PAGE: PagePng = {
  ...{ number: 1, width: 64, height: 64, dpi: 72 },
  png: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAQAAAACCEkxzAAAAEklEQVR42mP4DwUMo4xRBukMAOPT/hAC2mzjAAAAAElFTkSuQmCC',
    'base64',
  ),
};

type Form = 'docling' | 'paddleocr';

/** Recognises pages on a configured server, docling-serve or PaddleOCR, instead of this machine. */
@Injectable()
export class RecognitionServer {
  /** The request format that worked last. */
  private form: Form = 'docling';
  private readonly failures: EndpointFailures | undefined;

  constructor(private readonly config: Config) {
    const { recognitionServer: endpoint } = config;
    this.failures =
      endpoint &&
      new EndpointFailures(RecognitionServer.name, 'Text recognition is paused', {
        ...endpoint,
        variables: 'OCR',
      });
  }

  get isConfigured(): boolean {
    return this.failures !== undefined;
  }

  /**
   * @returns null for a page that the server rejects
   * @throws WorkerUnavailableError while the server does not answer; the page stays in the queue
   */
  async recognise(page: PagePng, signal: AbortSignal): Promise<RecognisedText | null> {
    try {
      return await this.askInEitherForm(page, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (isRejection(error)) return null;
      this.failures?.warn(error);
      throw new WorkerUnavailableError('Recognition', RETRY_MS);
    }
  }

  /**
   * Sends a blank page, to check that the server works.
   *
   * @throws Error
   */
  async probe(timeoutMs: number): Promise<void> {
    try {
      await this.askInEitherForm(BLANK_PAGE, AbortSignal.timeout(timeoutMs));
    } catch (error) {
      if (!isRejection(error)) throw error;
    }
  }

  private async askInEitherForm(page: PagePng, signal: AbortSignal): Promise<RecognisedText> {
    try {
      return await this.ask(this.form, page, signal);
    } catch (error) {
      if (!isUnknownPath(error)) throw error;
      const other = this.form === 'docling' ? 'paddleocr' : 'docling';
      const answer = await this.ask(other, page, signal);
      this.form = other;
      return answer;
    }
  }

  private async ask(form: Form, page: PagePng, signal: AbortSignal): Promise<RecognisedText> {
    const { recognitionServer: endpoint, OCR_TIMEOUT_MS: timeoutMs } = this.config;
    if (!endpoint) throw new Error('There is no server');
    // Both servers document their paths from the root.
    const baseUrl = endpoint.baseUrl.replace(/\/(?:v1\/?)?$/, '');
    const client = openAiClient(
      { ...endpoint, baseUrl },
      { maxBytes: MAX_ANSWER_BYTES, timeout: timeoutMs },
    );
    const isDocling = form === 'docling';
    const path = isDocling ? '/v1/convert/file' : '/ocr';
    const headers = endpoint.apiKey === undefined ? {} : { 'X-Api-Key': endpoint.apiKey };
    const response = await retryOnce(
      () => {
        const body = isDocling ? doclingForm(page) : paddleOcrBody(page);
        return client.post(path, { body, headers, signal }).asResponse();
      },
      { timeoutMs, signal },
    );
    const answer = await parseResponse(response, MAX_ANSWER_BYTES);
    const found = isDocling ? readDoclingPage(answer, page) : readPaddleOcrPage(answer, page);
    if (!found) throw new Error('The answer has no form that is known');
    return found;
  }
}

function doclingForm({ png }: PagePng): FormData {
  const form = new FormData();
  form.append('files', new Blob([Uint8Array.from(png)], { type: 'image/png' }), 'page.png');
  form.append('to_formats', 'json');
  form.append('image_export_mode', 'placeholder');
  return form;
}

const paddleOcrBody = ({ png }: PagePng): object => ({
  file: Buffer.from(png).toString('base64'),
  fileType: 1,
  visualize: false,
});

/** The server has no such path, so it is of the other kind. */
const isUnknownPath = (error: unknown): boolean =>
  error instanceof APIError && (error.status === 404 || error.status === 405);
