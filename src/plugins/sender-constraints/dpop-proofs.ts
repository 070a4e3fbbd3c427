import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DataSource } from 'typeorm';
import {
  type HttpExchange,
  type SenderProofs,
  VerifiesProofs,
} from '../../api-keys/sender-proofs.js';
import { Config } from '../../platform/config/config.js';
import { isPostgres } from '../../platform/database/dialect.js';
import { findOwnAddress } from '../../platform/http/own-address.js';
import { Problem } from '../../platform/problems/problem.js';
import { OwnNonces } from './own-nonces.js';
import { toProofAddress } from './proof-address.js';
import { ALGORITHMS, type Proof, ProofVerifier } from './proof-verifier.js';
import { SharedNonces } from './shared-nonces.js';
import { UsedProofs } from './used-proofs.js';

const CHALLENGE = `DPoP algs="${ALGORITHMS.join(' ')}"`;
const NONCE = 'dpop-nonce';
const DOT_SEGMENT = /\\|\/(?:\.|%2e){1,2}(?:\/|$)/i;

/**
 * Verifies DPoP proofs (RFC 9449) and accepts each one once, across all processes. Proofs with a nonce of this process
 * are recorded in its memory, all others in the database. Clients whose requests reach several processes get a shared
 * nonce, because each process refuses the nonces of the others.
 */
@Injectable()
@VerifiesProofs()
export class DpopProofs implements SenderProofs {
  private readonly verifier = new ProofVerifier();
  private readonly ownNonces = new OwnNonces();
  /** SQLite is used by one process. */
  private readonly isAlone: boolean;

  constructor(
    private readonly config: Config,
    private readonly sharedNonces: SharedNonces,
    private readonly usedProofs: UsedProofs,
    @InjectDataSource() dataSource: DataSource,
  ) {
    this.isAlone = !isPostgres(dataSource);
  }

  async require(
    jkt: string,
    credential: string,
    exchange: HttpExchange | undefined,
  ): Promise<void> {
    const proof = exchange?.request.headers['dpop'];
    if (!exchange || proof === undefined) {
      throw this.challenge(new Problem('proof_required'), CHALLENGE);
    }
    try {
      const { method } = exchange.request;
      const address = this.findAddress(exchange.request);
      const expected = { jkt, credential, method, address };
      await this.useOnce(await this.verifier.verify(String(proof), expected), exchange.reply);
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'invalid_proof' || NONCE in error.headers) {
        throw error;
      }
      throw this.challenge(error, `${CHALLENGE}, error="invalid_dpop_proof"`);
    }
  }

  private findAddress(request: FastifyRequest): string {
    const base = findOwnAddress(this.config, request);
    const address = base === undefined ? undefined : toProofAddress(base + request.url);
    // Addresses in proofs are normalized, and routes are not.
    if (DOT_SEGMENT.test(request.url.replace(/\?.*/s, ''))) {
      throw new Problem('invalid_proof', {
        detail: 'The path of a request with a proof must have no segment . or .. and no backslash.',
      });
    }
    if (address !== undefined) return address;
    throw new Problem('invalid_proof', {
      detail: 'Proofs are accepted where PUBLIC_URL is set, and at addresses on loopback.',
    });
  }

  /** @throws Problem `invalid_proof` for a proof that was used before, or whose nonce is not accepted */
  private async useOnce({ id, nonce }: Proof, reply: FastifyReply): Promise<void> {
    const { ownNonces } = this;
    if (nonce !== undefined && ownNonces.isOwn(nonce)) {
      const { next } = ownNonces;
      const use = ownNonces.use(nonce, id);
      if (use === 'ended') throw this.askForNonce(next);
      if (use === 'used') throw usedBefore();
      if (nonce !== next) void reply.header(NONCE, next);
      return;
    }
    const shared = nonce === undefined ? undefined : this.sharedNonces.check(nonce);
    if (nonce !== undefined && shared === undefined) {
      throw this.askForNonce(this.isAlone ? ownNonces.next : this.sharedNonces.create());
    }
    if (!(await this.usedProofs.record(id))) throw usedBefore();
    if (shared !== 'current') void reply.header(NONCE, ownNonces.next);
  }

  private askForNonce(nonce: string): Problem {
    const detail = 'The nonce of the proof is not accepted: use the one in DPoP-Nonce.';
    const problem = new Problem('invalid_proof', { detail });
    return this.challenge(problem, `${CHALLENGE}, error="use_dpop_nonce"`, nonce);
  }

  private challenge(problem: Problem, challenge: string, nonce = this.ownNonces.next): Problem {
    return problem.with({ headers: { 'www-authenticate': challenge, [NONCE]: nonce } });
  }
}

const usedBefore = () =>
  new Problem('invalid_proof', { detail: 'The proof was used before: make one for each request.' });
