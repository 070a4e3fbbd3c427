import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { runCommand } from '../support/command.js';

const require = createRequire(import.meta.url);
/** What Tesseract's own file of a language is. */
const GERMAN = require.resolve('@tesseract.js-data/deu/4.0.0_best_int/deu.traineddata.gz');

describe('npm run models -- install ocr:language', () => {
  const folder = mkdtempSync(join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), 'languages-'));
  const install = (language: string, ...files: string[]) =>
    runCommand(
      'operations/models.command.js',
      { DATA_DIR: folder },
      '',
      'install',
      `ocr:${language}`,
      ...files,
    );

  it('takes a file, by either name of the language', async () => {
    const { code, output } = await install('nl', GERMAN);
    expect([code, output]).toEqual([0, expect.stringContaining('nld.traineddata.gz')]);
    expect((await install('nds', GERMAN)).code).toBe(0);
    // Models for search by meaning are looked for in `models`.
    expect(readdirSync(folder)).toEqual(['ocr']);
    expect(readdirSync(join(folder, 'ocr')).sort()).toEqual([
      'nds.traineddata.gz',
      'nld.traineddata.gz',
    ]);
  });

  it('refuses a file that is damaged, missing, or of no language', async () => {
    const damaged = join(folder, 'damaged');
    writeFileSync(damaged, 'These are no data.');
    expect(await install('ita', damaged)).toEqual({
      code: 1,
      output: expect.stringContaining('damaged'),
    });
    expect((await install('ita', join(folder, 'nowhere'))).output).toContain('cannot be read');
    expect((await install('gibberish', GERMAN)).output).toContain('is no language');
    expect(readdirSync(join(folder, 'ocr'))).not.toContain('ita.traineddata.gz');
  });
});
