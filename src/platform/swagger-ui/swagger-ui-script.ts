/**
 * Runs in the browser. Besides configuration, it has what a first visit needs: operations are found by words and
 * open in .6 s instead of 2, forms can be sent twice, nothing is copied from one step to the next, and an error
 * response shows its own and shared codes, with an example on request.
 */
export const SWAGGER_UI_SCRIPT = `
const FoldErrors = ({ React, getComponent }) => ({
  wrapComponents: {
    response: (Response) => (props) => {
      const { createElement: h, useState } = React;
      const [isOpen, setOpen] = useState(false);
      if (isOpen || !/^([45]|default)/.test(props.code)) return h(Response, props);
      const Markdown = getComponent('Markdown', true);
      const contract = props.specSelectors.specJson();
      const place = ['paths', props.path, props.method, 'responses', props.code, '$ref'];
      const shared = contract.getIn(contract.getIn(place, '').split('/').slice(1));
      const refusals = new Set([props.response, shared].map((one) => one?.get('description')));
      return h('tr', { className: 'response folded', 'data-code': props.code },
        h('td', { className: 'response-col_status' }, props.code),
        h('td', { className: 'response-col_description', colSpan: 2 },
          h(Markdown, { source: [...refusals].join('\\n\\n') }),
          h('button', { type: 'button', onClick: () => setOpen(true) }, 'Example')));
    },
  },
});
// In a form, fields without an example stay empty and are not sent unless "Send empty value" is ticked:
// the values that Swagger UI would generate, such as "string", would be stored.
const LeaveFormsEmpty = ({ React }) => ({
  wrapComponents: {
    RequestBody: (RequestBody) => (props) => {
      const isGiven = (schema) => ['example', 'examples', 'default'].some((key) => schema.has(key));
      // Only for fields of forms is the media type missing.
      const getSampleSchema = (schema, type, ...rest) =>
        type === false && !isGiven(schema) ? '' : props.fn.getSampleSchema(schema, type, ...rest);
      return React.createElement(RequestBody, { ...props, fn: { ...props.fn, getSampleSchema } });
    },
    ParameterIncludeEmpty: (IncludeEmpty) => (props) => {
      const isIncludedOptions = { ...props.isIncludedOptions, defaultValue: false };
      return React.createElement(IncludeEmpty, { ...props, isIncludedOptions });
    },
  },
});
// Swagger UI's own resolver reads the whole document again at the start and for each opened operation,
// which takes a second or more. Here all references are within the document.
const Resolve = () => ({
  fn: {
    resolveSubtree: async (contract, path) => {
      const at = (place) => place.reduce((node, key) => node?.[key], contract);
      const merge = (all, one) => ({
        ...all,
        ...one,
        ...(all.required && { required: [...all.required, ...(one.required ?? [])] }),
        ...(all.properties && { properties: { ...all.properties, ...one.properties } }),
      });
      const resolve = (node, within) => {
        if (Array.isArray(node)) return node.map((one) => resolve(one, within));
        if (node === null || typeof node !== 'object') return node;
        if (within.includes(node.$ref)) return node;
        const entries = Object.entries(node).map(([key, value]) => [key, resolve(value, within)]);
        const { $ref, allOf, ...own } = Object.fromEntries(entries);
        if (typeof $ref === 'string') {
          const target = resolve(at($ref.split('/').slice(1)), [...within, $ref]);
          return { ...target, ...own, $$ref: location.origin + '/openapi.json' + $ref };
        }
        if (!Array.isArray(allOf)) return allOf === undefined ? own : { ...own, allOf };
        return [...allOf.map(({ $$ref, ...one }) => one), own].reduce(merge);
      };
      return { spec: resolve(at(path), []), errors: [] };
    },
  },
});
// Filters by tag, method, path, summary and id; Swagger UI's own filter knows only tags.
const Find = ({ React }) => ({
  fn: {
    opsFilter: (tags, phrase) => {
      const words = phrase.toLowerCase().split(/\\s+/);
      const isMeant = (tag) => (one) => {
        const said = ['summary', 'operationId'].map((name) => one.getIn(['operation', name]));
        const names = [tag, one.get('method'), one.get('path'), ...said].join(' ').toLowerCase();
        return words.every((word) => names.includes(word));
      };
      return tags
        .map((group, tag) => group.update('operations', (all) => all.filter(isMeant(tag))))
        .filter((group) => group.get('operations').size > 0);
    },
  },
  components: {
    FilterContainer: ({ layoutSelectors, layoutActions }) => {
      const given = layoutSelectors.currentFilter();
      return React.createElement('div', { className: 'wrapper filter-container' },
        React.createElement('input', {
          className: 'operation-filter-input',
          type: 'search',
          placeholder: 'Find an operation',
          'aria-label': 'Find an operation',
          value: typeof given === 'string' ? given : '',
          onChange: ({ target }) => layoutActions.updateFilter(target.value || true),
        }));
    },
  },
});
// Values created in one step are filled in at the next: ids by their prefix, and the secret of an API
// key, which goes into bodies unless a Bearer is set. They are forgotten when the page closes.
const PLACEHOLDER = /^rag_(live|test)_\\w+x{20,}$/;
const ID = /^([a-z]+)_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
let known = { ids: {}, secret: undefined };
const onKnown = new Set();
const remember = ({ ok, obj }) => {
  if (!ok || typeof obj?.openapi === 'string' || obj === null || typeof obj !== 'object') return;
  const { data, id, ...others } = obj;
  const idsOf = (one) => Object.values(one ?? {}).flatMap((value) => {
    const [, prefix] = ID.exec(value) ?? [];
    return prefix === undefined ? [] : [[prefix, value]];
  });
  // From a list, the first id is used, unless one has been created or opened.
  const listed = Array.isArray(data) ? idsOf({ id: data[0]?.id }) : [];
  const ids = [...listed, ...Object.entries(known.ids), ...idsOf(others), ...idsOf({ id })];
  const isKey = /^rag_(live|test)_/.test(obj.api_key);
  known = { ids: Object.fromEntries(ids), secret: isKey ? obj.api_key : known.secret };
  for (const listener of onKnown) listener();
};
const Remember = ({ React, getSystem }) => {
  const filled = new Map();
  const useKnown = () =>
    React.useSyncExternalStore(
      (listener) => {
        onKnown.add(listener);
        return () => onKnown.delete(listener);
      },
      () => known,
    );
  const useBearer = () =>
    React.useSyncExternalStore(
      (listener) => getSystem().getStore().subscribe(listener),
      () => Boolean(getSystem().authSelectors.authorized()?.has('api-key')),
    );
  const withSecret = (text, secret, hasBearer) => {
    let body;
    try {
      body = JSON.parse(text);
    } catch {
      return text;
    }
    const { api_key, ...rest } = body ?? {};
    const isOurs = PLACEHOLDER.test(api_key) || filled.get('api_key') === api_key;
    if (api_key === undefined || !isOurs || (!hasBearer && !secret)) return text;
    if (!hasBearer) filled.set('api_key', secret);
    return JSON.stringify(hasBearer ? rest : { ...body, api_key: secret }, null, 2);
  };
  return {
    wrapComponents: {
      parameterRow: (Row) => (props) => {
        const { rawParam, param = rawParam, pathMethod, specSelectors, onChange } = props;
        const [, prefix] = /^\\^([a-z]+)_/.exec(param.getIn(['schema', 'pattern'])) ?? [];
        const id = useKnown().ids[prefix];
        const field = [...pathMethod, param.get('name')].join(' ');
        const value = specSelectors.parameterWithMetaByIdentity(pathMethod, rawParam)?.get('value');
        React.useEffect(() => {
          if (!id || !param.get('required') || (value && value !== filled.get(field))) return;
          filled.set(field, id);
          if (value !== id) onChange(rawParam, id);
        }, [id]);
        return React.createElement(Row, props);
      },
      RequestBodyEditor: (Editor) => (props) => {
        const { secret } = useKnown();
        const hasBearer = useBearer();
        const [value, defaultValue] = [props.value, props.defaultValue].map(
          (text) => text && withSecret(text, secret, hasBearer),
        );
        React.useEffect(() => {
          if (value !== props.value) props.onChange(value);
        });
        return React.createElement(Editor, { ...props, value, defaultValue });
      },
    },
  };
};
const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const setColors = () => document.documentElement.classList.toggle('dark-mode', prefersDark.matches);
prefersDark.addEventListener('change', setColors);
setColors();
const { responseInterceptor = (response) => response, ...signInOptions } = latchkeySignIn.options;
const ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [
    SwaggerUIBundle.plugins.DownloadUrl,
    ...[FoldErrors, LeaveFormsEmpty, Resolve, Find, Remember],
    ...latchkeySignIn.plugins,
  ],
  filter: true,
  layout: 'BaseLayout',
  persistAuthorization: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  // Responses show their schemas, so the list of all schemas is folded.
  defaultModelsExpandDepth: 0,
  ...signInOptions,
  responseInterceptor: (response) => {
    remember(response);
    return responseInterceptor(response);
  },
});
latchkeySignIn.start(ui);
// The steps of the introduction link to the operations they name.
document.addEventListener('click', (event) => {
  const link = event.target.closest('.info a[href*="/docs#"]');
  if (!link) return;
  event.preventDefault();
  const [, tag, operation] = decodeURIComponent(new URL(link.href).hash).split('/');
  if (operation === undefined) return document.querySelector('.btn.authorize').click();
  const place = ['operations', tag, operation];
  ui.layoutActions.show(['operations-tag', tag], true);
  ui.layoutActions.show(place, true);
  ui.layoutActions.scrollTo(place);
  // Of more than 150 operations and tags, only those in sight are drawn.
  ui.layoutActions.scrollToVirtualizedOperation(place);
});
`;
