#!/usr/bin/env node
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { LatchkeyError } from '@latchkey/client';
import { addHead, ChainBroken, parseHead, verifyAudit } from './audit.js';
import { describeError, isRefusal } from './client.js';
import * as commands from './commands.js';
import * as documents from './documents.js';
import { evaluate } from './evaluate.js';
import { SUFFIXES } from './ingest.js';
import * as sources from './sources.js';
import * as webhooks from './webhooks.js';

/** Set by scripts/build-cli.mjs. */
declare const LATCHKEY_VERSION: string;

const EXIT = { refused: 1, usage: 2, unreachable: 3 };

function parseCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('A whole number, please.');
  return Number(text);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError('JSON, please.');
  }
}

const scope = new Option('--scope <scope...>', 'what it may be used for').choices([
  ...['query', 'chat', 'feedback'],
  ...['documents:read', 'documents:write'],
]);
const filter = new Option(
  '--filter <json>',
  'the documents it opens, by their metadata: {"type":"eq","key":"language","value":"de"}',
).argParser(parseJson);

function parseShare(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !(number >= 0 && number <= 1)) {
    throw new InvalidArgumentError('A number from 0 to 1, please.');
  }
  return number;
}

const environment = new Option('--environment <environment>', 'part of the secret')
  .choices(['live', 'test'] as const)
  .makeOptionMandatory();

const program = new Command('latchkey')
  .description(
    'Manages knowledge bases, documents and API keys of a Latchkey service by its public API.',
  )
  .version(LATCHKEY_VERSION)
  .addOption(
    new Option('--url <url>', 'where the service is')
      .env('LATCHKEY_URL')
      .default('http://localhost:3000'),
  )
  .addOption(new Option('--user <id>', 'the dashboard user to act for').env('LATCHKEY_USER'))
  .option('--json', 'print the answers of the service as they are')
  .addHelpText(
    'after',
    `
Secrets are read from the environment, since arguments are visible in the list of processes:
  LATCHKEY_API_KEY         the key to ask, make tokens or send documents with, or to show
  LATCHKEY_GATEWAY_SECRET  for services behind a gateway
  LATCHKEY_TOKEN           for services with an identity provider (OIDC)
  LATCHKEY_AUDIT_KEYS      to verify what a service has written to AUDIT_LOG

Exit codes: 0 done, 1 refused by the service or partly failed, 2 wrong usage, 3 the service does not answer.`,
  )
  .exitOverride()
  .configureHelp({ showGlobalOptions: true });

const kb = program.command('kb').description('knowledge bases');
kb.command('create <name>')
  .description('create a knowledge base; prints its id')
  .option('--description <text>')
  .action(commands.createKnowledgeBase);
kb.command('list').description('list your knowledge bases').action(commands.listKnowledgeBases);

const key = program.command('key').description('API keys');
key
  .command('issue <kb_id>')
  .description('create an API key; prints its secret, this once')
  .requiredOption('--name <name>', 'where the key is used')
  .addOption(environment)
  .option('--description <text>')
  .option('--expires-at <instant>', 'such as 2027-01-31T00:00:00Z')
  .option('--rate-limit <requests>', 'requests per minute', parseCount)
  .option('--end-user-rate-limit <requests>', 'the same, of each end user', parseCount)
  .option('--allow-ip <address...>', 'addresses and CIDR ranges it may be used from')
  .addOption(scope)
  .addOption(filter)
  .action(commands.issueKey);
key
  .command('show')
  .description('see what the key in LATCHKEY_API_KEY may do; this is no use of it')
  .action(commands.showKey);
key.command('list <kb_id>').description('list API keys, by prefix').action(commands.listKeys);
key
  .command('usage <key_id>')
  .description('see what uses an API key, before you revoke it')
  .action(commands.showUsage);
key
  .command('rotate [key_id]')
  .description(
    'create a successor; prints its secret, this once. Without an id: of the key in LATCHKEY_API_KEY, by itself',
  )
  .option('--idempotency-key <text>', 'the same for each attempt, so that there is one successor')
  .option(
    '--grace-period <seconds>',
    'how long the old key still works (default: a day)',
    parseCount,
  )
  .action(commands.rotateKey);
key
  .command('revoke [key_id]')
  .description('revoke an API key, at once and for good; without an id the key in LATCHKEY_API_KEY')
  .action(commands.revokeKey);

program
  .command('token')
  .description('client tokens, for browsers and apps')
  .command('issue')
  .description('make a client token, with the key in LATCHKEY_API_KEY; prints it')
  .requiredOption('--end-user <id>', 'your own id of the person who asks')
  .option('--expires-in <seconds>', 'a minute to an hour (default: 15 minutes)', parseCount)
  .addOption(scope)
  .addOption(filter)
  .option('--allow-origin <origin...>', 'web origins whose pages may use it')
  .action(commands.issueToken);

const doc = program.command('doc').description('documents');
doc
  .command('list <kb_id>')
  .description('list the documents of a knowledge base')
  .addOption(
    new Option('--status <status>', 'only documents with this status').choices([
      'pending',
      'processing',
      'ready',
      'failed',
    ]),
  )
  .action(documents.listDocuments);
doc
  .command('delete <document_id>')
  .description('delete a document, at once and for good')
  .action(documents.deleteDocument);

const webhook = program.command('webhook').description('webhooks');
webhook
  .command('add <kb_id> <url>')
  .description('create a webhook; prints its secret, this once')
  .requiredOption('--event <event...>', 'an event that is delivered, such as document.failed')
  .option('--description <text>')
  .action(webhooks.addWebhook);
webhook
  .command('list <kb_id>')
  .description('list the webhooks of a knowledge base')
  .action(webhooks.listWebhooks);
webhook
  .command('test <webhook_id>')
  .description('send a test event; prints how its receiver answered')
  .action(webhooks.testWebhook);
webhook
  .command('delete <webhook_id>')
  .description('delete a webhook')
  .action(webhooks.deleteWebhook);

const source = program.command('source').description('places that documents come from');
source
  .command('add <kb_id> <type>')
  .description(
    'connect a website, s3, git, folder, confluence, webdav, imap or oikb; prints its id',
  )
  .requiredOption(
    '--config <json>',
    'such as {"start_urls": ["https://docs.example.com/"]}',
    parseJson,
  )
  .option('--name <name>', 'a name for people (default: the type)')
  .option('--every <minutes>', 'run it by itself', parseCount)
  .option('--cron <expression>', 'the same, at certain times')
  .option('--timezone <timezone>', 'of --cron (default: UTC)')
  .addOption(
    new Option('--on-delete <what>', 'what becomes of documents that are gone there').choices([
      ...['delete', 'keep'],
    ]),
  )
  .addHelpText('after', '\nCredentials are read as JSON from LATCHKEY_SOURCE_CREDENTIALS.')
  .action(sources.addSource);
source
  .command('list <kb_id>')
  .description('list the sources of a knowledge base')
  .action(sources.listSources);
source
  .command('preview <source_id>')
  .description('count what a run would do')
  .action(sources.previewSource);
source
  .command('run <source_id>')
  .description('run it now, and wait for the end')
  .option(
    '--confirm',
    'let it delete more than a tenth of the documents, and open what is held back',
  )
  .addHelpText('after', '\nExit code 1: the run failed, or asks for --confirm.')
  .action(sources.runSource);

program
  .command('ingest <kb_id_and_folder...>')
  .usage('[options] <kb_id> <folder>\n       latchkey ingest [options] --api-key <folder>')
  .option('--api-key', 'send with the key in LATCHKEY_API_KEY, which names the knowledge base')
  .description('send the documents of a folder; run again, those that changed')
  .option('--wait', 'end when they are indexed or have failed (the default in a terminal)')
  .option('--no-wait', 'end when they are sent (the default elsewhere)')
  .option(
    '--delete-missing',
    'delete documents whose files are no longer in this folder; asks first',
  )
  .option('--yes', 'delete without asking')
  .option('--charset <encoding>', 'of text files that do not say it, such as windows-1250')
  .option(
    '--source <name>',
    'a name for the folder, if several machines send it (default: this machine and the path)',
  )
  .addHelpText(
    'after',
    `
Sends the files that end in ${SUFFIXES.join(', ')};
hidden files are left out. The title of a document is taken from its front matter or first heading
(Markdown), or its title (HTML), else from the file name. Its external_id is the path in the folder.

--delete-missing deletes only documents that an ingest of this folder created, which have its name as
ingested_from in their metadata, and nothing unless every file was sent and nothing failed.

--api-key needs the scope documents:write; with --wait or --delete-missing documents:read too.

Exit code 1: a file was refused or, with --wait, could not be indexed.`,
  )
  .action(documents.ingestFolder);
program
  .command('ask <question>')
  .description('ask a question, with the key in LATCHKEY_API_KEY')
  .action(commands.ask);
program
  .command('evaluate <kb_id> <file>')
  .description('ask questions whose answers are known; prints how well they are answered')
  .option('--min-hit-at-5 <share>', 'exit with 1 if the figure is below it', parseShare)
  .option('--name <name>', 'a name for the evaluation')
  .option('--top-k <passages>', 'passages per question', parseCount)
  .option(
    '--answer-threshold <share>',
    'how much of a question the documents must speak of',
    parseShare,
  )
  .option('--model <model>', 'such as extractive')
  .addHelpText(
    'after',
    `
Each line of the file is a question in JSON:
  {"question": "How long may customers return an order?", "external_ids": ["policies/returns"],
   "answer_contains": "30 days"}
  {"question": "Who is the king of France?", "answerable": false}

Exit code 1: hit_at_5 is below --min-hit-at-5, or the evaluation failed. An evaluation that is
interrupted is deleted; exit code 130.`,
  )
  .action(evaluate);

program
  .command('audit')
  .description('the audit events that a service has written to AUDIT_LOG')
  .command('verify <file...>')
  .description('check that no line was altered, left out, put in or cut; - reads standard input')
  .option('--after <sequence:hash>', 'the head that the first line must follow', parseHead)
  .option('--head <sequence:hash>', 'the head that must be reached, once for each chain', addHead)
  .option('--among-logs', 'leave out lines that are none of the audit, such as those of a log')
  .addHelpText(
    'after',
    `
Needs no service. Files may be given in any order, also as .gz, or folders of them. The keys are read from
LATCHKEY_AUDIT_KEYS; npm run audit -- keys prints them where the service is.

Exit code 1: something is wrong; the first line that is, is named.`,
  )
  .action(verifyAudit);

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : EXIT.usage;
  else if (error instanceof LatchkeyError) {
    console.error(`latchkey: ${describeError(error)}`);
    process.exitCode = isRefusal(error) ? EXIT.refused : EXIT.unreachable;
  } else if (
    error instanceof webhooks.DeliveryFailed ||
    error instanceof sources.RunFailed ||
    error instanceof ChainBroken
  ) {
    console.error(`latchkey: ${error.message}`);
    process.exitCode = EXIT.refused;
  } else if (error instanceof commands.UsageError) {
    console.error(`latchkey: ${error.message}`);
    process.exitCode = EXIT.usage;
  } else throw error;
}
