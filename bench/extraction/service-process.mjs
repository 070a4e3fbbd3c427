// What a document costs in the process that the service reads documents in.
import { EXTRACTION_PROCESS } from '@latchkey/extraction/process-url';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

const TIMEOUT_MS = 660_000;
/** As Linux counts CPU time in /proc. */
const MS_PER_TICK = 10;

/**
 * @typedef {object} Cost
 * @property {number} cpuMs with the start of the process
 * @property {number} peakMb
 * @property {string | null} error the code of a document that is not read
 */

/**
 * Reads a document as the first one of a new process. Linux only.
 *
 * @param {Uint8Array} content
 * @param {string} mimeType
 * @returns {Promise<Cost>}
 */
export async function costOf(content, mimeType) {
  const child = fork(EXTRACTION_PROCESS, {
    env: {},
    execArgv: [
      '--max-old-space-size=160',
      '--max-semi-space-size=4',
      '--initial-heap-size=64',
      '--wasm-num-compilation-tasks=1',
    ],
    serialization: 'advanced',
  });
  const signal = globalThis.AbortSignal.timeout(TIMEOUT_MS);
  try {
    const request = {
      ...{ content, mimeType, chunkSize: 300, chunkOverlap: 30 },
      ...{ ocr: 'off', maxPages: 0, recognised: [] },
    };
    child.send({ mimeTypes: [mimeType], requests: [request] });
    const ended = once(child, 'exit', { signal }).then(([, killedBy]) => `ended by ${killedBy}`);
    for (;;) {
      const next = await Promise.race([ended, once(child, 'message', { signal })]);
      if (typeof next === 'string') return { cpuMs: NaN, peakMb: NaN, error: next };
      const [message] = next;
      if (message === 'started') continue;
      return { ...usageOf(Number(child.pid)), error: message.outcomes[0].unreadable?.code ?? null };
    }
  } finally {
    child.kill('SIGKILL');
  }
}

/** @param {number} pid */
function usageOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return {
    cpuMs: (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK,
    peakMb: Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? NaN) / 1024,
  };
}
