import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Not, Repository } from 'typeorm';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Job } from '../../platform/jobs/job.js';
import { Peppers } from '../../platform/peppers/peppers.js';
import { SealedTexts } from '../../platform/peppers/sealed-texts.js';
import { Channel } from './channel.entity.js';

const INTERVAL_MS = 60_000;

export interface OpenSecrets {
  readonly signingSecret: string | null;
  readonly botToken: string | null;
}

type Sealed = Pick<Channel, 'id' | 'pepperId' | keyof OpenSecrets>;

/** Encrypts the secrets of channels for storage. If the pepper is lost, they must be entered again. */
@Injectable()
export class ChannelSecrets {
  private readonly texts: SealedTexts;

  constructor(
    peppers: Peppers,
    @InjectRepository(Channel) private readonly channels: Repository<Channel>,
    private readonly unitOfWork: UnitOfWork,
  ) {
    this.texts = new SealedTexts(peppers, 'latchkey channel secrets');
  }

  seal(id: string, { signingSecret, botToken }: OpenSecrets): Omit<Sealed, 'id'> {
    const seal = (purpose: string, text: string | null) =>
      text === null ? null : this.texts.seal(`${id} ${purpose}`, text);
    return {
      signingSecret: seal('signing', signingSecret),
      botToken: seal('bot', botToken),
      pepperId: this.texts.pepperId,
    };
  }

  /** A secret that is missing, or whose pepper is, is null. */
  open({ id, signingSecret, botToken, pepperId }: Sealed): OpenSecrets {
    const open = (purpose: string, text: string | null) =>
      text === null ? null : (this.texts.open(`${id} ${purpose}`, text, pepperId) ?? null);
    return { signingSecret: open('signing', signingSecret), botToken: open('bot', botToken) };
  }

  /** When this is done, the previous pepper can be removed from the configuration. */
  @Job({ every: INTERVAL_MS })
  async moveToCurrentPepper(): Promise<void> {
    const { pepperId } = this.texts;
    for (const channel of await this.channels.findBy({ pepperId: Not(pepperId) })) {
      const opened = this.open(channel);
      const isLost = (name: keyof OpenSecrets) => channel[name] !== null && opened[name] === null;
      if (isLost('signingSecret') || isLost('botToken')) continue;
      // A user may have changed them meanwhile.
      const was = { id: channel.id, pepperId: channel.pepperId, updatedAt: channel.updatedAt };
      const sealed = this.seal(channel.id, opened);
      await this.unitOfWork.run((manager) => manager.update(Channel, was, sealed));
    }
  }
}
