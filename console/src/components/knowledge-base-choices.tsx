import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { KnowledgeBase } from '../api.js';
import { plural } from './basics.js';

/** More can be searched by name. */
const FEW = 8;

/** A control for each knowledge base. A control that a search hides keeps its value. */
export function KnowledgeBaseChoices(props: {
  legend: string;
  kbs: readonly KnowledgeBase[];
  hint?: string;
  control: (kb: KnowledgeBase) => ComponentChildren;
}) {
  const { kbs } = props;
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  return (
    <fieldset>
      <legend>{props.legend}</legend>
      {props.hint !== undefined && <p class="quiet">{props.hint}</p>}
      {kbs.length > FEW && (
        <input
          type="search"
          aria-label="Search knowledge bases"
          placeholder={`Search ${plural(kbs.length, 'knowledge base')}`}
          value={search}
          onInput={(event) => {
            setSearch(event.currentTarget.value);
          }}
        />
      )}
      <div class="choices-of-many">
        {kbs.map((kb) => (
          <label key={kb.id} hidden={!kb.name.toLowerCase().includes(wanted)}>
            <span dir="auto">{kb.name}</span>
            {props.control(kb)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
