import { setTimeout as pause } from 'node:timers/promises';

/** @param {string} url of a service that has just started */
export async function waitForModel(url) {
  for (;;) {
    const response = await globalThis.fetch(`${url}/health/ready`);
    const { meaning } = /** @type {{ meaning: string }} */ (await response.json());
    if (meaning !== 'off') return;
    await pause(100);
  }
}
