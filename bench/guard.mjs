// What ApiKeyGuard costs, in under a minute: a validated route without it, behind it with scopes and a
// filter, with client tokens and with proofs (DPoP); and what a valid caller waits beside forged keys. Prints as it
// goes.
import { Child, pinned } from './auth/child.mjs';
import {
  CALLS_PER_SECOND,
  CONNECTIONS,
  contestant,
  entries,
  FORGED_PER_SECOND,
  race,
  stored,
  withstand,
} from './auth/contestants.mjs';
import { createSigner } from './auth/proofs.mjs';
import { report, round } from './support.mjs';

const KEYS = 1_000;
const RACE = { rounds: 3, seconds: 2 };
const FLOOD = { rounds: 2, seconds: 2 };
/** As partners' keys are: restricted to some documents. */
const FILTER = { type: 'eq', key: 'language', value: 'de' };

const NAMES = {
  floor: 'Nest + Fastify + ValidationPipe',
  key: 'the same behind ApiKeyGuard, keys with scopes and a filter',
  token: 'the same, client tokens instead of keys',
  proof: 'the same, keys with a proof by ES256',
  rsaProof: 'the same, keys with a proof by RS256',
};

export default async function guard() {
  try {
    const keys = await stored(KEYS, { filter: FILTER });
    const guarded = ['guarded'];
    const contestants = {
      floor: await contestant('nest-server.mjs', [], keys),
      key: await contestant('nest-server.mjs', guarded, keys),
      token: await contestant('nest-server.mjs', guarded, { ...keys, secrets: keys.tokens }),
      proof: await provingContestant('ES256'),
      rsaProof: await provingContestant('RS256'),
    };
    const throughput = await race(contestants, RACE);
    for (const [name, { perSecond, cpuMicros }] of entries(throughput)) {
      console.log(`${NAMES[name]}: ${Math.round(perSecond)} requests/s, ${round(cpuMicros, 1)} µs`);
    }
    const { idle, some } = await withstand(contestants.key, keys.retired, FLOOD);
    console.log(`p99: ${round(idle.p99)} ms alone, ${round(some.p99)} ms beside forged keys`);
    const { floor, key, token, proof } = throughput;
    /** @type {[string, number, string, boolean][]} */
    const aims = [
      [
        'behind ApiKeyGuard to the validated floor',
        key.perSecond / floor.perSecond,
        '≥ 1.1',
        key.perSecond >= 1.1 * floor.perSecond,
      ],
      [
        'client tokens to keys',
        token.perSecond / key.perSecond,
        '≥ 0.7',
        token.perSecond >= 0.7 * key.perSecond,
      ],
      [
        'CPU of keys with a proof by ES256 to keys',
        proof.cpuMicros / key.cpuMicros,
        '≤ 1.15',
        proof.cpuMicros <= 1.15 * key.cpuMicros,
      ],
      [
        `p99 beside ${FORGED_PER_SECOND} forged keys/s to idle`,
        some.p99 / idle.p99,
        '≤ 2',
        some.p99 <= 2 * idle.p99,
      ],
    ];
    report('guard', {
      notes: [
        `${CONNECTIONS} connections, medians of ${RACE.rounds} rounds in turns of ${RACE.seconds} s`,
        pinned
          ? 'the server has one core, those who ask the other'
          : 'server and those who ask share the cores: no taskset here',
        `the valid caller asks ${CALLS_PER_SECOND} times a second`,
      ],
      tables: {
        'One route': entries(throughput).map(([name, { perSecond, cpuMicros }]) => ({
          server: NAMES[name],
          'requests/s': Math.round(perSecond),
          'CPU µs/request': round(cpuMicros, 1),
          'to the validated floor': round(perSecond / floor.perSecond),
        })),
        'Held to the aims': aims.map(([ratio, measured, aim, isMet]) => ({
          ratio,
          measured: round(measured),
          aim,
          verdict: isMet ? 'met' : 'missed',
        })),
      },
    });
  } finally {
    await Child.stopAll();
  }
}

/**
 * Keys that are bound to a key pair.
 *
 * @param {'ES256' | 'RS256'} alg
 */
async function provingContestant(alg) {
  const { jkt, signer } = await createSigner(alg);
  const keys = await stored(KEYS, { filter: FILTER, jkt });
  return { ...(await contestant('nest-server.mjs', ['guarded'], keys)), signer };
}
