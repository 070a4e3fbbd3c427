/** Tells what a test has measured, beside its verdict. */
export function figure(text: string): void {
  process.stderr.write(`  » ${text}\n`);
}
