import { setTimeout as pause } from 'node:timers/promises';
import { APIConnectionError, APIError } from 'openai';

const DEFAULT_PAUSE_MS = 500;

interface RetryOptions {
  /** No second attempt begins after this time. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Sends a request again if the first attempt could not connect or was answered 429 or 5xx, after
 * waiting as long as `Retry-After` says. The client's own retries would wait an hour for `Retry-After:
 * 3600`, even after its signal is aborted.
 */
export async function retryOnce<T>(
  send: () => Promise<T>,
  { timeoutMs, signal }: RetryOptions,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  try {
    return await send();
  } catch (error) {
    const pauseMs = getPauseAfter(error);
    const isInTime = pauseMs !== undefined && performance.now() + pauseMs < deadline;
    if (!isInTime || signal.aborted) throw error;
    await pause(pauseMs, undefined, { signal });
    return send();
  }
}

/** Returns the milliseconds until a second attempt may succeed; undefined if it will not. */
function getPauseAfter(error: unknown): number | undefined {
  if (error instanceof APIConnectionError) return DEFAULT_PAUSE_MS;
  if (!(error instanceof APIError)) return undefined;
  const status = error.status as number | undefined;
  if (status === undefined || (status !== 429 && status < 500)) return undefined;
  const header = (error.headers as Headers | undefined)?.get('retry-after');
  if (!header) return DEFAULT_PAUSE_MS;
  const seconds = Number(header);
  const ms = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1000;
  return Number.isNaN(ms) ? DEFAULT_PAUSE_MS : Math.max(0, ms);
}
