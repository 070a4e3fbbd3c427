import type { Site } from '../../api.js';
import { ConversationsLink } from '../../asked-at.js';
import { plural } from '../../components/basics.js';
import { PlaceState, PlaceUsage } from '../../components/place-state.js';
import { workWords } from './proof-of-work.js';

/** The state of a site, its use and its limits. */
export function SiteFacts({ site }: { site: Site }) {
  return (
    <dl class="facts">
      <dt>State</dt>
      <dd>
        <PlaceState {...site} />
      </dd>
      <dt>Origins</dt>
      <dd>
        {site.origins.map((origin) => (
          <div key={origin}>
            <bdi>{origin}</bdi>
          </div>
        ))}
      </dd>
      <dt>Questions today</dt>
      <dd>
        <PlaceUsage place={site} />
      </dd>
      <dt>Conversations</dt>
      <dd>
        <ConversationsLink place={site} />
      </dd>
      <dt>Each visitor</dt>
      <dd>
        {plural(site.per_visitor_per_minute, 'question')} a minute, proof of work:{' '}
        {workWords(site.proof_of_work)}
      </dd>
      <dt>Each address</dt>
      <dd>
        {site.per_address_per_day === null
          ? 'no limit'
          : `${plural(site.per_address_per_day, 'question')} a day`}
      </dd>
    </dl>
  );
}
