import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { optionalTool } from '../../../../test/support/requirement.js';
import { scan } from '../../../../test/support/scans.js';
import { readTwice } from '../../test/reading-twice.js';
import { DOC } from '../formats.js';
import { convert } from './libreoffice.js';

const installed = optionalTool('LibreOffice', existsSync('/usr/bin/soffice'));

describe('a conversion by LibreOffice', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-libreoffice-'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  /** The content that a stand-in for LibreOffice writes as the converted document. */
  async function converted(script: string): Promise<string> {
    const program = join(folder, 'soffice');
    await writeFile(
      program,
      `#!/bin/sh\nfor last; do :; done\nout=\${last%/document}/out\nmkdir -p "$out"\n${script}\n`,
    );
    await chmod(program, 0o700);
    return Buffer.from(await convert(Buffer.from('text'), 'docx', [program])).toString();
  }
  const printed = (command: string) => converted(`{ ${command}; } > "$out/document.docx"`);

  it('says what is missing where it is not installed', async () => {
    await expect(convert(Buffer.from('text'), 'docx', ['/nowhere/soffice'])).rejects.toMatchObject({
      code: 'unsupported_type',
      message: expect.stringContaining('LibreOffice'),
    });
  });

  it('has limits of processor time, memory and files', async () => {
    expect(await printed('ulimit -t; ulimit -v; ulimit -f')).toBe('60\n4000000\n400000\n');
  });

  it('gets no variables of the service, and a directory and profile of its own', async () => {
    const lines = (await printed('env; echo "$@"')).split('\n');
    const names = lines.slice(0, -2).map((line) => line.split('=')[0]);
    expect(names.sort()).toEqual(expect.arrayContaining(['HOME', 'LANG', 'PATH']));
    expect(
      names.filter((name) => !['HOME', 'LANG', 'OLDPWD', 'PATH', 'PWD', '_'].includes(name ?? '')),
    ).toEqual([]);
    const home = lines.find((line) => line.startsWith('HOME='))?.slice('HOME='.length) ?? '';
    expect(lines.at(-2)).toContain(`-env:UserInstallation=file://${home}/profile`);
    expect(home).toMatch(/latchkey-office-\w+$/);
  });

  it('fails when nothing was written', async () => {
    await expect(converted('exit 1')).rejects.toMatchObject({ code: 'parse_failed' });
  });

  installed.it('loads nothing that a document refers to', async () => {
    let requests = 0;
    const server = createServer((_, response) => {
      requests++;
      response.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.png`;
    const page = `<html><body><p>Text</p><img src="${url}"></body></html>`;
    const bytes = await convert(Buffer.from(page), 'odt');
    expect(Buffer.from(bytes).subarray(0, 2).toString()).toBe('PK');
    expect(requests).toBe(0);
    server.close();
  });

  installed.it('keeps pictures, which are recognised where they stand', async () => {
    const picture = (await scan(['Pressure relief valve opens', 'at four bar of pressure'])).trim({
      margin: 20,
    });
    const png = await picture.png().toBuffer({ resolveWithObject: true });
    const { width, height } = png.info;
    const goal = `\\picw${width}\\pich${height}\\picwgoal${width * 8}\\pichgoal${height * 8}`;
    const rtf = `{\\rtf1 Before\\par{\\pict\\pngblip${goal} ${png.data.toString('hex')}}\\par After\\par}`;
    const doc = Buffer.from(await convert(Buffer.from(rtf), 'doc'));
    const { before, after } = await readTwice(DOC, doc);
    expect(before.blocks).toEqual(['Before', 'After']);
    expect(after.blocks.map((line) => line.replaceAll('\n', ' '))).toEqual([
      'Before',
      'Pressure relief valve opens at four bar of pressure',
      'After',
    ]);
  });
});
