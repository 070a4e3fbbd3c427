import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { type components, LatchkeyError } from '@latchkey/client';
import { type Client } from './client.js';
import { createIdempotencyKey, openSession, table, UsageError } from './commands.js';

type Evaluation = components['schemas']['EvaluationDto'];
type Question = components['schemas']['EvaluationQuestionDto'];

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2000;
/** The exit code of a program that SIGINT has ended. */
const EXIT_INTERRUPTED = 130;

interface Line {
  /** The line number in the file, from 1. */
  readonly number: number;
  readonly question: Question;
}

/** A question in the format of data sets: a correct answer has one of the `gold` texts. */
interface GoldQuestion {
  readonly question: string;
  readonly document?: string;
  readonly also_in?: readonly string[];
  readonly gold?: readonly string[];
  readonly gold_alt?: readonly string[];
  readonly gold_all?: readonly (readonly string[])[];
  /** Earlier questions of the conversation. */
  readonly history?: string[];
  readonly answerable?: boolean;
}

const GOLD_FIELDS = ['gold', 'gold_all', 'document', 'kind'];

interface EvaluateOptions {
  name?: string;
  topK?: number;
  answerThreshold?: number;
  model?: string;
  minHitAt5?: number;
}

/**
 * Evaluates a knowledge base and prints the figures; exit code 1 if they are below what is asked. An
 * evaluation that is interrupted is deleted.
 */
export async function evaluate(
  kbId: string,
  file: string,
  { name, topK, answerThreshold, model, minHitAt5 }: EvaluateOptions,
  command: Command,
): Promise<void> {
  const { client, print } = openSession(command);
  const lines = await readLines(file);
  if (minHitAt5 !== undefined && !lines.some(({ question }) => question.external_ids?.length)) {
    throw new UsageError(`--min-hit-at-5 needs external_ids, and no question in ${file} has any`);
  }
  const interrupt = new AbortController();
  const onSignal = () => {
    interrupt.abort();
  };
  // The handler runs once, so that a second signal ends the program at once.
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  const { id } = await client
    .post('/api/v1/kbs/{kb_id}/evaluations', {
      path: { kb_id: kbId },
      headers: createIdempotencyKey(),
      body: {
        ...(name !== undefined && { name }),
        settings: {
          ...(topK !== undefined && { top_k: topK }),
          ...(answerThreshold !== undefined && { answer_threshold: answerThreshold }),
          ...(model !== undefined && { model }),
        },
        questions: lines.map(({ question }) => question),
      },
    })
    .catch((error: unknown) => {
      throw withLines(error, file, lines);
    });
  const evaluation = await waitUntilFinished(client, id, interrupt.signal);
  process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  if (!evaluation) {
    await client.delete('/api/v1/evaluations/{evaluation_id}', { path: { evaluation_id: id } });
    console.error('latchkey: interrupted; the evaluation is deleted');
    process.exitCode = EXIT_INTERRUPTED;
    return;
  }
  print(evaluation, () => formatReport(evaluation));
  const problem = findProblem(evaluation, minHitAt5);
  if (problem === undefined) return;
  console.error(`latchkey: ${problem}`);
  process.exitCode = 1;
}

function findProblem({ status, error, figures }: Evaluation, minHitAt5 = 0): string | undefined {
  if (status === 'failed') return `the evaluation failed: ${error?.message ?? ''}`;
  const { hit_at_5: hitAt5 = null } = figures ?? {};
  return (hitAt5 ?? 0) < minHitAt5
    ? `hit_at_5 is ${hitAt5 ?? 'none'}, below ${minHitAt5}`
    : undefined;
}

/** One question in JSON on each line. */
async function readLines(file: string): Promise<Line[]> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UsageError(`${file} cannot be read`);
  });
  return text
    .split('\n')
    .map((line, index) => ({ line: line.trim(), number: index + 1 }))
    .filter(({ line }) => line !== '')
    .map(({ line, number }) => {
      try {
        const question: unknown = JSON.parse(line);
        if (typeof question === 'object' && question !== null && !Array.isArray(question)) {
          return { number, question: toQuestion(question as Question | GoldQuestion) };
        }
      } catch {
        // Reported below, as is a line with another value than an object.
      }
      throw new UsageError(`${file}: line ${number} is not an object in JSON`);
    });
}

function toQuestion(line: Question | GoldQuestion): Question {
  if (!GOLD_FIELDS.some((field) => field in line)) return line;
  const { question, document, also_in, gold, gold_alt, gold_all, history, answerable } =
    line as GoldQuestion;
  const texts = [...(gold ?? []), ...(gold_alt ?? [])];
  return {
    question,
    ...(history && { history }),
    ...(document !== undefined && { external_ids: [document, ...(also_in ?? [])] }),
    ...(gold_all
      ? { answer_contains_all: gold_all.map((list) => [...list]) }
      : texts.length > 0 && { answer_contains: texts }),
    ...(answerable !== undefined && { answerable }),
  };
}

/** Replaces the fields of the request that an error names by lines of the file. */
function withLines(error: unknown, file: string, lines: readonly Line[]): unknown {
  if (!(error instanceof LatchkeyError) || !error.problem?.errors) return error;
  for (const one of error.problem.errors) {
    const [field, index] = /^questions\.(\d+)/.exec(one.field) ?? [];
    const line = lines[Number(index)];
    if (field !== undefined && line) {
      one.field = `${file}: line ${line.number}${one.field.slice(field.length)}`;
    }
  }
  return error;
}

/** @returns undefined if it is interrupted */
async function waitUntilFinished(
  client: Client,
  id: string,
  signal: AbortSignal,
): Promise<Evaluation | undefined> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    const evaluation = await client.get('/api/v1/evaluations/{evaluation_id}', {
      path: { evaluation_id: id },
    });
    if (evaluation.status === 'complete' || evaluation.status === 'failed') return evaluation;
    await pause(pauseMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return undefined;
  }
}

function formatReport({ id, figures, questions }: Evaluation): string[] {
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
