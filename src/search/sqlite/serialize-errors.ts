import Database from 'better-sqlite3';
import { IndexCorruptError } from './index-corrupt-error.js';

export type WorkerAnswer<Result> = { result: Result } | { code: string; message: string };

/** Errors lose their class between threads, so those that the caller distinguishes go as codes. */
export function serializeErrors<Request, Result>(
  work: (request: Request) => Result | Promise<Result>,
) {
  return async (request: Request): Promise<WorkerAnswer<Result>> => {
    try {
      return { result: await work(request) };
    } catch (error) {
      if (error instanceof Database.SqliteError || error instanceof IndexCorruptError)
        return { code: error.code, message: error.message };
      throw error;
    }
  };
}
