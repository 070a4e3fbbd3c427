import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readModelFiles } from './model-files.js';

describe(readModelFiles, () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'model-files-'));
    write('onnx/model.onnx', '');
    write('tokenizer.json', '{}');
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const write = (name: string, content: string | object) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    writeFileSync(join(folder, name), text);
  };

  it('finds the model of a folder, and the tokenizer of a file', () => {
    write('onnx/model_int8.onnx', '');
    expect(readModelFiles(folder).model).toBe(join(folder, 'onnx/model.onnx'));
    const chosen = join(folder, 'onnx/model_int8.onnx');
    expect(readModelFiles(chosen)).toMatchObject({ model: chosen, tokenizer: {} });
  });

  it('finds the weights that a model keeps in files of their own, and no other model’s', () => {
    for (const name of ['model.onnx_data', 'model.onnx.data', 'model_int8.onnx_data']) {
      write(`onnx/${name}`, '');
    }
    const weights = ['model.onnx.data', 'model.onnx_data'].map((name) =>
      join(folder, 'onnx', name),
    );
    expect([...readModelFiles(folder).weights].sort()).toEqual(weights);
  });

  it('takes the smallest limit of length, at most 512 tokens', () => {
    expect(readModelFiles(folder).maxTokens).toBe(512);
    write('tokenizer_config.json', { model_max_length: 1e30 });
    write('config.json', { max_position_embeddings: 512 });
    write('sentence_bert_config.json', { max_seq_length: 256 });
    expect(readModelFiles(folder).maxTokens).toBe(256);
  });

  it('takes the prompts for questions and for passages', () => {
    write('config_sentence_transformers.json', {
      prompts: { query: 'query: ', passage: 'passage: ', clustering: 7 },
    });
    expect(readModelFiles(folder).prompts).toEqual({ question: 'query: ', passages: 'passage: ' });
  });

  it('refuses a model whose vectors go through further layers', () => {
    write('modules.json', [{ type: 'sentence_transformers.models.Transformer' }]);
    expect(() => readModelFiles(folder)).not.toThrow();
    write('modules.json', [{ type: 'sentence_transformers.models.Dense' }]);
    expect(() => readModelFiles(folder)).toThrow('a module Dense');
  });
});
