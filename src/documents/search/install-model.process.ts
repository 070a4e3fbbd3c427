import { install } from '@latchkey/embeddings/install/install';
import { LocalModelError } from '@latchkey/embeddings/local-model-error';
import { lowerPriorityOfThread } from '@latchkey/extraction/lower-priority';

/** A line of progress, or the reason why the installation failed. */
export type InstallMessage = { readonly line: string } | { readonly problem: string };

const send = (message: InstallMessage) => process.send?.(message);

lowerPriorityOfThread();
// If the service has ended, the installation is not needed.
const end = () => process.exit(1);
process.once('disconnect', end);
const [, , models = '', name = ''] = process.argv;
try {
  await install(name, {
    models,
    hub: process.env['HF_ENDPOINT'],
    report: (line) => send({ line }),
  });
} catch (error) {
  send({ problem: error instanceof LocalModelError ? error.message : String(error) });
  process.exitCode = 1;
}
process.off('disconnect', end);
process.disconnect();
