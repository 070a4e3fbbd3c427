import Database from 'better-sqlite3';
import { Unsound } from './unsound.js';

export type WorkerAnswer<Result> = { result: Result } | { code: string; message: string };

/** The error of a worker's own class does not survive the way back: its code is what counts. */
export function told<Request, Result>(work: (request: Request) => Result | Promise<Result>) {
  return async (request: Request): Promise<WorkerAnswer<Result>> => {
    try {
      return { result: await work(request) };
    } catch (error) {
      if (error instanceof Database.SqliteError || error instanceof Unsound)
        return { code: error.code, message: error.message };
      throw error;
    }
  };
}
