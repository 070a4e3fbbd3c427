import { verify } from 'node:crypto';
import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { parseBody, readBytes } from '../../platform/http/request-body.js';
import { Problem } from '../../platform/problems/problem.js';
import { GithubSigningKeys } from './github-signing-keys.js';

/** Admits requests whose body is signed by GitHub (ECDSA P-256, SHA-256). */
@Injectable()
export class GithubSignatureGuard implements CanActivate {
  constructor(private readonly keys: GithubSigningKeys) {}

  /** @throws Problem `invalid_signature` or `signing_keys_unavailable` */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { 'github-public-key-identifier': identifier, 'github-public-key-signature': signature } =
      request.headers;
    const body = await readBytes(request);
    if (typeof identifier !== 'string' || typeof signature !== 'string' || !body) throw refused();
    const key = await this.keys.get(identifier);
    if (!key || !verify('sha256', body, key, Buffer.from(signature, 'base64'))) throw refused();
    parseBody(request, body);
    return true;
  }
}

const refused = () =>
  new Problem('invalid_signature', {
    headers: { 'www-authenticate': 'GithubSignature realm="leaked-api-keys"' },
  });
