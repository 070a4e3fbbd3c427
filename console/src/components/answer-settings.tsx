import type { Settings } from '../api.js';
import { Input, Select, TextArea, toNumber } from './field.js';

/**
 * What can be tried without saving it; an empty field leaves a setting as it is saved. Viewers may not
 * try the model, its instructions and the answer threshold.
 */
export function AnswerSettingsFields(props: {
  saved: Settings | undefined;
  mayChange: boolean;
  error: unknown;
}) {
  const { saved, mayChange, error } = props;
  const now = (value: string | number | null | undefined, none: string) =>
    saved && `Now ${value ?? none}`;
  return (
    <>
      <div class="columns">
        <Input
          label="Passages"
          name="top_k"
          type="number"
          min={1}
          max={50}
          error={error}
          hint={now(saved?.top_k, '5')}
        />
        <Input
          label="Least score"
          name="min_score"
          type="number"
          step="any"
          error={error}
          hint={now(saved?.min_score, 'none')}
        />
        <Input
          label="Answer threshold"
          name="answer_threshold"
          disabled={!mayChange}
          type="number"
          min={0}
          max={1}
          step="0.01"
          error={error}
          hint={now(saved?.answer_threshold, 'as calibrated')}
        />
        <Input
          label="Model"
          name="model"
          disabled={!mayChange}
          maxLength={200}
          placeholder="extractive"
          error={error}
          hint={now(saved?.model, 'the service’s own')}
        />
        <Input
          label="Temperature"
          name="temperature"
          type="number"
          min={0}
          max={2}
          step="0.1"
          error={error}
          hint={now(saved?.temperature, 'the model’s own')}
        />
        <Select
          label="When the model fails"
          name="fallback_to_extractive"
          error={error}
          hint={now(saved?.fallback_to_extractive ? 'quote the documents' : 'say so', '')}
        >
          <option value="">as saved</option>
          <option value="yes">quote the documents</option>
          <option value="no">say so</option>
        </Select>
      </div>
      <TextArea
        label="Instructions to the model"
        name="system_prompt"
        disabled={!mayChange}
        maxLength={8000}
        placeholder={saved?.system_prompt ?? ''}
        error={error}
      />
      <Input
        label="Said when the documents do not answer"
        name="refusal_text"
        maxLength={2000}
        placeholder={saved?.refusal_text ?? ''}
        error={error}
      />
    </>
  );
}

/** What was typed there; undefined if nothing was. */
export function answerSettingsOf(fields: Record<string, string>) {
  const numbers = ['top_k', 'min_score', 'answer_threshold', 'temperature'] as const;
  const texts = ['model', 'system_prompt', 'refusal_text'] as const;
  const fallback = fields['fallback_to_extractive'];
  const settings = {
    ...Object.fromEntries(
      numbers
        .filter((name) => fields[name] !== undefined)
        .map((name) => [name, toNumber(fields[name])]),
    ),
    ...Object.fromEntries(
      texts.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]),
    ),
    ...(fallback !== undefined && { fallback_to_extractive: fallback === 'yes' }),
  };
  return Object.keys(settings).length > 0 ? settings : undefined;
}
