import { rmSync } from 'node:fs';

/** Comes after those of the engines. */
export default function globalTeardown() {
  const directory = process.env['LATCHKEY_TEST_DIR'];
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
}
