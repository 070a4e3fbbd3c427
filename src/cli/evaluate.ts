import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { type Latchkey } from './client.js';
import { session, table, UsageError } from './commands.js';
import type { components } from '@latchkey/client';

type Evaluation = components['schemas']['EvaluationDto'];
type Question = components['schemas']['EvaluationQuestionDto'];

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2000;

interface EvaluateOptions {
  name?: string;
  topK?: number;
  answerThreshold?: number;
  model?: string;
  minHitAt5?: number;
}

/** Evaluates a knowledge base and prints the figures; exit code 1 if they are below what is asked. */
export async function evaluate(
  kbId: string,
  file: string,
  { name, topK, answerThreshold, model, minHitAt5 }: EvaluateOptions,
  command: Command,
): Promise<void> {
  const { client, print } = session(command);
  const { id } = await client.post('/api/v1/kbs/{kb_id}/evaluations', {
    path: { kb_id: kbId },
    body: {
      ...(name !== undefined && { name }),
      settings: {
        ...(topK !== undefined && { top_k: topK }),
        ...(answerThreshold !== undefined && { answer_threshold: answerThreshold }),
        ...(model !== undefined && { model }),
      },
      questions: await readQuestions(file),
    },
  });
  const evaluation = await finished(client, id);
  print(evaluation, () => report(evaluation));
  if (evaluation.status === 'failed') {
    console.error(`latchkey: the evaluation failed: ${evaluation.error?.message ?? ''}`);
    process.exitCode = 1;
  } else if (minHitAt5 !== undefined && !((evaluation.figures?.hit_at_5 ?? 0) >= minHitAt5)) {
    console.error(`latchkey: hit_at_5 is below ${minHitAt5}`);
    process.exitCode = 1;
  }
}

/** One question in JSON on each line. */
async function readQuestions(file: string): Promise<Question[]> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UsageError(`${file} cannot be read`);
  });
  return text
    .split('\n')
    .map((line, index) => ({ line: line.trim(), number: index + 1 }))
    .filter(({ line }) => line !== '')
    .map(({ line, number }) => {
      try {
        return JSON.parse(line) as Question;
      } catch {
        throw new UsageError(`${file}: line ${number} is not JSON`);
      }
    });
}

async function finished(client: Latchkey, id: string): Promise<Evaluation> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    const evaluation = await client.get('/api/v1/evaluations/{evaluation_id}', {
      path: { evaluation_id: id },
    });
    if (evaluation.status === 'complete' || evaluation.status === 'failed') return evaluation;
    await pause(pauseMs);
  }
}

function report({ id, figures, questions }: Evaluation): string[] {
  const wrong = questions.filter(({ right }) => right === false);
  return [
    `${id}: ${questions.length} questions`,
    ...Object.entries(figures ?? {}).map(([name, figure]) => `${name}  ${figure ?? 'none'}`),
    ...(wrong.length > 0 ? ['', 'Answered wrongly, or not as expected:'] : []),
    ...table(
      ['RANK', 'ANSWERED', 'QUESTION'],
      wrong.map(({ rank, answered, question }) => [
        String(rank ?? '-'),
        answered ? 'yes' : 'no',
        question.slice(0, 100),
      ]),
    ).slice(wrong.length > 0 ? 0 : 1),
  ];
}
