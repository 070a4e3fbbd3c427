import { parentPort } from 'node:worker_threads';
import type { ThreadMessage, ThreadTask } from './worker-pool.js';

// The entry point of a thread of a WorkerPool: it loads the pool's module, whose exports are its tasks.

const [, , module = ''] = process.argv;
const tasks = (await import(module)) as Record<string, (task: unknown) => unknown>;

const send = (message: ThreadMessage) => parentPort?.postMessage(message);

parentPort?.on('message', ({ name, task }: ThreadTask) => {
  void answer(name, task);
});
// Work begun by the module may fail before it counts as loaded.
setImmediate(() => send({ ready: true }));

async function answer(name: string, task: unknown): Promise<void> {
  try {
    const work = tasks[name];
    if (!work) throw new Error(`${module} has no task ${name}`);
    send({ result: await work(task) });
  } catch (error) {
    send({ error });
  }
}
