import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { outline, read } from '../../../test/reading.js';
import { readLatex } from './read-latex.js';

const FILE = readFileSync(new URL('../../../test/files/kiln.tex', import.meta.url));
const readOutline = async (source: string | Buffer) =>
  outline((await read(readLatex, source)).blocks);

describe(readLatex.name, () => {
  it('reads an article: sections, lists, tables, formulas, code and notes', async () => {
    expect(await readOutline(FILE)).toEqual([
      '# Firing Stoneware',
      'Ina Müller , José Çelik',
      '## Abstract',
      'We measure how slowly a kiln must cool.',
      '## Method',
      'At Ateliers Köln the kiln is heated to cone 6 at 1240 °C, see Section and . It holds 80% of the “green” ware — 120 pieces.',
      'Plates count twice.',
      '### Steps',
      '1. Load the shelves.',
      '2. Close the lid:',
      '  – check the seal',
      '  – check the cone',
      '– Soak: Time at the highest temperature.',
      String.raw`The loss is $q = k \frac{\Delta T}{d}$, so that $\begin{aligned} t &= \int_0^T c(\theta)\,d\theta \end{aligned}$ holds.`,
      '## Results',
      '(caption) Cooling of two glazes',
      '[Glaze | Hours | Hours | Cracks]',
      '| Celadon | 9 | 5 | 2',
      '| Tenmoku | 7 | 25 | 11',
      'Rule (Patience). Never open the lid above 120 °C.',
      String.raw`(code) ramp(100)  # \not a command`,
      '## References',
      '– B. Leach, A Potter’s Book, Faber, 1940.',
    ]);
  });

  it.each([
    ['a formula without end', 'It costs $5.\n\nThen more.', ['It costs 5.', 'Then more.']],
    ['braces without end', String.raw`\section{One`, ['## One']],
    ['braces too many', 'One } two', ['One two']],
    ['a list without end', String.raw`\begin{itemize}\item one`, ['– one']],
    ['an option without end', 'One \\\\[2pt two\n\nthree', ['One', 'three']],
    [
      'a table within a cell',
      String.raw`\begin{tabular}{ll}a&\begin{tabular}{l}b\\c\end{tabular}\\d&e\end{tabular}`,
      ['| a | b c', '| d | e'],
    ],
    ['code within a line', String.raw`Run \verb|rm -i \x| now`, [String.raw`Run rm -i \x now`]],
    ['two formulas side by side', '$a$$b$', ['$a$$b$']],
    ['HTML', 'a <b> & c', ['a <b> & c']],
    [
      'raised and lowered text',
      String.raw`24\textsuperscript{1} months of CO\textsubscript{2}`,
      ['24¹ months of CO₂'],
    ],
  ])('reads %s', async (_, source, expected) => {
    expect(await readOutline(source)).toEqual(expected);
  });

  it.each([
    ['that is itself', String.raw`\def\a{\a}\a`],
    ['that doubles', String.raw`\newcommand{\a}{x\a\a}\a`],
    [
      'of a macro',
      String.raw`\def\a#1{#1#1#1#1}\a{\a{\a{\a{\a{\a{\a{\a{\a{\a{xxxxxxxxxxxxxxxxxx}}}}}}}}}}`,
    ],
  ])('ends a macro %s', async (_, source) => {
    const { blocks } = await read(readLatex, `${source} End.`);
    expect(JSON.stringify(blocks).length).toBeLessThan(200_000);
  });

  it.each([
    '{',
    '\\(',
    '$',
    '\\begin{itemize}',
    '\\begin{equation}',
    '\\foo[',
    '\\textbf',
    '\\section{',
  ])('reads %s a hundred thousand times in time that grows with the length', async (start) => {
    const before = process.cpuUsage();
    await read(readLatex, start.repeat(100_000)).catch(() => undefined);
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(10);
  });

  it('repeats merged cells in each column and row that they stand over', async () => {
    const source = String.raw`\begin{document}
\begin{tabular}{lll}
Region & \multicolumn{2}{c}{Sales} \\
 & 2025 & 2026 \\
\hline
\multirow{2}{*}{North} & 1 & 2 \\
 & 3 & 4 \\
\multicolumn{2}{l}{South and East} & 9 \\
\multirow[t]{2}{3cm}{\textbf{West}} & \multicolumn{1}{|c|}{\multirow{2}{*}{both}} & 1 \\
 & & 2 \\
 & 5 & 6 \\
 \multirow{-2}{*}{Far West} & 7 & 8 \\
\end{tabular}
\end{document}`;
    const { blocks } = await read(readLatex, source);
    expect(outline(blocks)).toEqual([
      '[Region | Sales 2025 | Sales 2026]',
      '| North | 1 | 2',
      '| North | 3 | 4',
      '| South and East | South and East | 9',
      '| West | both | 1',
      '| West | both | 2',
      '| Far West | 5 | 6',
      '| Far West | 7 | 8',
    ]);
  });
});
