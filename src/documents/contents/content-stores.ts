import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import type { ContentStore } from './content-store.js';
import { FileContentStore, FILES } from './file-content-store.js';

/** Opens the configured store, and previously configured stores that still hold contents. */
@Injectable()
export class ContentStores {
  private readonly opened = new Map<string, Promise<ContentStore>>();

  constructor(private readonly config: Config) {}

  /** @returns undefined for the database */
  current(): Promise<ContentStore | undefined> {
    const { contentStore } = this.config;
    return contentStore === 'database' ? Promise.resolve(undefined) : this.at(contentStore);
  }

  at(location: string): Promise<ContentStore> {
    let store = this.opened.get(location);
    if (!store) {
      store = this.open(location);
      store.catch(() => this.opened.delete(location));
      this.opened.set(location, store);
    }
    return store;
  }

  private async open(location: string): Promise<ContentStore> {
    if (location === FILES) return new FileContentStore(this.config.DATA_DIR);
    // Imported here, so that a service without an object store does not load it.
    const { S3ContentStore } = await import('./s3-content-store.js');
    return S3ContentStore.open(location, this.config);
  }
}
