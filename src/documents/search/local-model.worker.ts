import { workerData } from 'node:worker_threads';
import { LocalModel, type Purpose } from '@latchkey/embeddings/local-model';
import { LocalModelError } from '@latchkey/embeddings/local-model-error';

export interface LocalModelFolder {
  readonly path: string;
}

export type LocalModelRequest =
  | { readonly describe: true }
  /** The last request; answered once the model has been released. */
  | { readonly end: true }
  | {
      readonly text: string;
      readonly purpose: Purpose;
      /** In terms of `Date.now()`; later results are not used. */
      readonly deadline: number;
    };

/** An error loses its class between threads, so a LocalModelError is returned as `problem`. */
export type LocalModelAnswer =
  | { readonly hash: string; readonly file: string }
  | { readonly vector: Float32Array | undefined }
  | { readonly problem: string };

const { path } = workerData as LocalModelFolder;
const loading = LocalModel.load(path);
// Each request awaits it and reports the error; without this listener it would end the thread.
loading.catch(() => undefined);

export default async function answer(request: LocalModelRequest): Promise<LocalModelAnswer> {
  try {
    const model = await loading;
    if ('describe' in request) return { hash: model.hash, file: model.file };
    if ('end' in request) {
      await model.release();
      return { vector: undefined };
    }
    if (Date.now() > request.deadline) return { vector: undefined };
    return { vector: await model.embed(request.text, request.purpose) };
  } catch (error) {
    if (error instanceof LocalModelError) return { problem: error.message };
    if ('describe' in request) return { problem: 'its files cannot be used' };
    throw error;
  }
}
