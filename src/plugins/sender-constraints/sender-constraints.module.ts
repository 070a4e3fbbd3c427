import { Module } from '@nestjs/common';
import { DpopProofs } from './dpop-proofs.js';
import { SharedNonces } from './shared-nonces.js';
import { UsedProofs } from './used-proofs.js';

@Module({ providers: [DpopProofs, SharedNonces, UsedProofs] })
export class SenderConstraintsModule {}
