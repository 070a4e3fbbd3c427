import {
  applyDecorators,
  Body,
  type CallHandler,
  Controller,
  Delete,
  type ExecutionContext,
  Get,
  Header,
  HttpCode,
  type NestInterceptor,
  Param,
  Patch,
  type PipeTransform,
  Post,
  Put,
  Query,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { map } from 'rxjs';
import {
  CurrentUser,
  type DashboardUser,
} from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import type { ManagedRoute } from '../../knowledge-bases/opens-to.js';
import { BodyReader, READS_BODY_LAST } from '../../platform/http/request-body.js';
import { isStorableText } from '../../platform/http/text.js';
import { Problem } from '../../platform/problems/problem.js';
import { AddRouteConfig, listHandlers } from '../../platform/http/nest-metadata.js';
import {
  findResourceType,
  findSchema,
  RESOURCE_TYPES,
  SCHEMAS,
  SERVICE_PROVIDER_CONFIG,
} from './scim-discovery.js';
import { toScimError } from './scim-error.js';
import { invalid, isObject, type Resource, withUsualNames } from './scim-fields.js';
import { ScimGroups } from './scim-groups.js';
import { ScimUsers } from './scim-users.js';
import { ScimGuard } from './scim.guard.js';
import { selectAttributes } from './selected-attributes.js';

const SCOPE: ManagedRoute = { managementScope: 'members:write' };
const ROUTE = { ...SCOPE, ...READS_BODY_LAST, formatProblem: toScimError };

const configureRoutes: ClassDecorator = (controller) => {
  for (const { apply } of listHandlers(controller)) {
    apply(AddRouteConfig(ROUTE));
    apply(Header('content-type', 'application/scim+json; charset=utf-8'));
  }
};

/** SCIM 2.0 (RFC 7644). It describes itself, so it is not part of the OpenAPI document. */
const ServesScim = () =>
  applyDecorators(
    Controller('scim/v2'),
    UseGuards(ScimGuard, BodyReader),
    ApiExcludeController(),
    configureRoutes,
  );

/** @throws Problem `validation_failed` */
class ScimBodyPipe implements PipeTransform<unknown, Resource> {
  transform(body: unknown): Resource {
    if (isObject(body)) return withUsualNames(body);
    throw invalid('The body must be a JSON object.');
  }
}

/** @throws Problem `not_found` */
class ScimIdPipe implements PipeTransform<string, string> {
  transform(id: string): string {
    if (isStorableText(id)) return id;
    throw new Problem('not_found');
  }
}

/** Reduces answers to the attributes that the query, or the body of a search, asks for. */
class SelectedAttributes implements NestInterceptor {
  constructor(private readonly askedIn: 'query' | 'body') {}

  intercept(context: ExecutionContext, next: CallHandler<Resource>) {
    const asked = context.switchToHttp().getRequest<FastifyRequest>()[this.askedIn];
    const names = isObject(asked) ? withUsualNames(asked) : {};
    // Invalid attributes are refused before anything is changed.
    selectAttributes({}, names);
    return next.handle().pipe(map((answer) => selectAttributes(answer, names)));
  }
}

const SelectsByQuery = () => UseInterceptors(new SelectedAttributes('query'));
const SelectsByBody = () => UseInterceptors(new SelectedAttributes('body'));

@ServesScim()
export class ScimController {
  constructor(
    private readonly users: ScimUsers,
    private readonly groups: ScimGroups,
  ) {}

  @Get('ServiceProviderConfig')
  config(): Resource {
    return SERVICE_PROVIDER_CONFIG;
  }

  @Get('ResourceTypes')
  resourceTypes(): Resource {
    return RESOURCE_TYPES;
  }

  @Get('Schemas')
  schemas(): Resource {
    return SCHEMAS;
  }

  @Get('ResourceTypes/:id')
  resourceType(@Param('id') id: string): Resource {
    return findResourceType(id);
  }

  @Get('Schemas/:id')
  schema(@Param('id') id: string): Resource {
    return findSchema(id);
  }

  @Get('Users')
  @SelectsByQuery()
  listUsers(@CurrentUser() account: DashboardUser, @Query() query: Resource): Promise<Resource> {
    return this.users.list(account, query);
  }

  /** The list, for filters that must not be part of a URL. */
  @Post('Users/.search')
  @HttpCode(200)
  @SelectsByBody()
  searchUsers(
    @CurrentUser() account: DashboardUser,
    @Body(ScimBodyPipe) body: Resource,
  ): Promise<Resource> {
    return this.users.list(account, body);
  }

  @Post('Groups/.search')
  @HttpCode(200)
  @SelectsByBody()
  searchGroups(
    @CurrentUser() account: DashboardUser,
    @Body(ScimBodyPipe) body: Resource,
  ): Promise<Resource> {
    return this.groups.list(account, body);
  }

  /** Users and groups cannot be searched together. */
  @Post('.search')
  @HttpCode(501)
  searchAll(): Resource {
    const detail =
      'Use Users/.search or Groups/.search: users and groups cannot be searched together.';
    // Returned instead of thrown, because a thrown 501 would be logged as an error of the service.
    return toScimError(new Problem('not_found', { status: 501, detail })).body;
  }

  @Post('Users')
  @SelectsByQuery()
  createUser(
    @CurrentUser() account: DashboardUser,
    @Body(ScimBodyPipe) body: Resource,
  ): Promise<Resource> {
    return this.users.create(account, body);
  }

  @Get('Users/:id')
  @SelectsByQuery()
  getUser(
    @CurrentUser() account: DashboardUser,
    @Param('id', ScimIdPipe) id: string,
  ): Promise<Resource> {
    return this.users.get(account, id);
  }

  @Put('Users/:id')
  @SelectsByQuery()
  replaceUser(
    @CurrentUser() account: DashboardUser,
    @Param('id', ScimIdPipe) id: string,
    @Body(ScimBodyPipe) body: Resource,
  ): Promise<Resource> {
    return this.users.replace(account, id, body);
  }

  @Patch('Users/:id')
  @SelectsByQuery()
  patchUser(
    @CurrentUser() account: DashboardUser,
    @Param('id', ScimIdPipe) id: string,
    @Body(ScimBodyPipe) body: Resource,
  ): Promise<Resource> {
    return this.users.patch(account, id, body);
  }

  @Delete('Users/:id')
  @HttpCode(204)
  deleteUser(
    @CurrentUser() account: DashboardUser,
    @Param('id', ScimIdPipe) id: string,
  ): Promise<void> {
    return this.users.delete(account, id);
  }

  @Get('Groups')
  @SelectsByQuery()
  listGroups(@CurrentUser() account: DashboardUser, @Query() query: Resource): Promise<Resource> {
    return this.groups.list(account, query);
  }

  @Post('Groups')
  @SelectsByQuery()
  createGroup(
    @CurrentUser() account: DashboardUser,
    @Body(ScimBodyPipe) body: Resource,
    @Query() query: Resource,
  ): Promise<Resource> {
    return this.groups.create(account, body, query);
  }

  @Get('Groups/:id')
  @SelectsByQuery()
  getGroup(
    @CurrentUser() account: DashboardUser,
    @Param('id', ScimIdPipe) id: string,
    @Query() query: Resource,
  ): Promise<Resource> {
    return this.groups.get(account, id, query);
  }

  @Put('Groups/:id')
  @SelectsByQuery()
  replaceGroup(
    @CurrentUser() account: DashboardUser,
    @Param('id', ScimIdPipe) id: string,
    @Body(ScimBodyPipe) body: Resource,
    @Query() query: Resource,
  ): Promise<Resource> {
    return this.groups.replace(account, id, body, query);
  }

  @Patch('Groups/:id')
  @SelectsByQuery()
  patchGroup(
    @CurrentUser() account: DashboardUser,
    @Param('id', ScimIdPipe) id: string,
    @Body(ScimBodyPipe) body: Resource,
    @Query() query: Resource,
  ): Promise<Resource> {
    return this.groups.patch(account, id, body, query);
  }

  @Delete('Groups/:id')
  @HttpCode(204)
  deleteGroup(
    @CurrentUser() account: DashboardUser,
    @Param('id', ScimIdPipe) id: string,
  ): Promise<void> {
    return this.groups.delete(account, id);
  }
}
