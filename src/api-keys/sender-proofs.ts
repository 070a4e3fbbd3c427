import type { FastifyReply, FastifyRequest } from 'fastify';
import { declareProviders } from '../platform/discovery/declared-providers.js';

/** A request and its answer. */
export interface HttpExchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Verifies that requests come from who has the private key that a credential is bound to. */
export interface SenderProofs {
  /**
   * @param jkt the thumbprint of the public key
   * @param credential the key or token, as it was sent
   * @param exchange whose request has the proof; undefined where none can be sent
   * @throws Problem `proof_required` or `invalid_proof`
   */
  require(jkt: string, credential: string, exchange: HttpExchange | undefined): Promise<void>;
}

/** Declares the provider that verifies proofs; without one, credentials that need a proof are refused. */
export const VerifiesProofs = declareProviders<SenderProofs>();
