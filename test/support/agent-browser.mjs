#!/usr/bin/env node
// The browser that an agent opens, for tests of other people's programs: `agent-browser.mjs <address>`
// connects the agent with the key in AGENT_API_KEY. As xdg-open does, it goes on alone, because some
// programs wait for its end before they listen for the answer.
import { spawn } from 'node:child_process';
import { FormBrowser, withApiKey } from './form-browser.mjs';

const [, file = '', address = '', isAlone] = process.argv;
if (isAlone === undefined) {
  const args = [file, address, 'alone'];
  spawn(process.execPath, args, { detached: true, stdio: 'ignore' }).unref();
} else {
  await new FormBrowser(withApiKey(process.env.AGENT_API_KEY ?? '')).walk(new URL(address));
}
