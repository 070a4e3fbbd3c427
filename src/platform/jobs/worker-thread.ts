import { parentPort } from 'node:worker_threads';
import type { ThreadMessage, ThreadTask } from './worker-pool.js';

// The entry point of a thread of a WorkerPool: it loads the pool's module, whose exports are its tasks. No
// module of a thread has a top-level await: Node.js ends the whole process when a thread is terminated
// while modules run that wait for such a one.

const [, , module = ''] = process.argv;
// If it fails, the thread ends with the error.
void import(module).then(serve);

const send = (message: ThreadMessage) => parentPort?.postMessage(message);

type Tasks = Record<string, (task: unknown) => unknown>;

function serve(tasks: Tasks): void {
  parentPort?.on('message', ({ name, task }: ThreadTask) => {
    void answer(tasks, name, task);
  });
  // Work begun by the module may fail before it counts as loaded.
  setImmediate(() => send({ ready: true }));
}

async function answer(tasks: Tasks, name: string, task: unknown): Promise<void> {
  try {
    const work = tasks[name];
    if (!work) throw new Error(`${module} has no task ${name}`);
    send({ result: await work(task) });
  } catch (error) {
    send({ error });
  }
}
