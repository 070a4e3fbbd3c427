import {
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
} from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { AccessGuard } from '../../knowledge-bases/access.guard.js';
import { DashboardAuthGuard } from '../../knowledge-bases/dashboard-auth/dashboard-auth.guard.js';
import type { DashboardRequest } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { requiredAccess } from '../../knowledge-bases/access.js';
import { isTypeId } from '../../platform/http/type-id.js';
import { OIKB } from '../sources/oikb-kind.js';
import { Source } from '../sources/source.entity.js';

type KnowledgeRequest = DashboardRequest & { oikbSourceId?: string };

/** Admits dashboard users and service accounts, who may name a source of oikb in place of its knowledge base. */
@Injectable()
export class KnowledgeGuard implements CanActivate {
  constructor(
    @InjectRepository(Source) private readonly sources: Repository<Source>,
    private readonly users: DashboardAuthGuard,
    private readonly access: AccessGuard,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    await this.users.canActivate(context);
    const request = context.switchToHttp().getRequest<KnowledgeRequest>();
    const params = request.params as { kb_id?: string };
    if (requiredAccess(context.getHandler()) && isTypeId('src', params.kb_id ?? '')) {
      const id = params.kb_id ?? '';
      const source = await this.sources.findOneBy({ id, type: OIKB });
      // A source of nobody is refused as a knowledge base of nobody is.
      params.kb_id = source?.kbId ?? id;
      if (source) request.oikbSourceId = id;
    }
    return this.access.canActivate(context);
  }
}

/** The source that the path names in place of a knowledge base. */
export const NamedSource = createParamDecorator(
  (_: unknown, context: ExecutionContext): string | undefined =>
    context.switchToHttp().getRequest<KnowledgeRequest>().oikbSourceId,
);
