import type { Plugin } from '../../platform/plugins/plugin.js';
import { TrustedIssuer } from './trusted-issuer.entity.js';
import { TrustedIssuersModule } from './trusted-issuers.module.js';

/** Exchanges tokens of other issuers, such as a build server's, for client tokens. */
export const plugin: Plugin = {
  module: TrustedIssuersModule,
  needs: ['client-tokens'],
  entities: [TrustedIssuer],
};
