import { Body, Controller, Delete, Get, Param, Put, Query, UseGuards } from '@nestjs/common';
import { ApiParam, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { CurrentUser, type DashboardUser } from '../dashboard-auth/dashboard-user.js';
import { DashboardAuthGuard } from '../dashboard-auth/dashboard-auth.guard.js';
import { UserIdPipe } from '../dashboard-auth/user-id.js';
import { ApiDashboardProblems, ApiPage, BODY_PROBLEMS } from '../openapi/api-docs.js';
import { DASHBOARD_SECURITY } from '../openapi/open-api.js';
import { type Page, PageQueryDto } from '../http/page.dto.js';
import { SUCCESS, SuccessDto } from '../problems/problem.dto.js';
import { IdParam } from '../http/type-id.js';
import { OwnersOnly } from './access-check.js';
import { MemberDto, PutMemberDto } from './member.dto.js';
import { MembersService } from './members.service.js';

const USER_ID_PARAM = {
  name: 'user_id',
  description: 'As the dashboard’s identity provider names them.',
  schema: {
    type: 'string',
    pattern: '^[\\x21-\\x2b\\x2d-\\x7e]{1,255}$',
    maxLength: 255,
    example: 'bob',
  },
};

@ApiTags('Members')
@ApiSecurity(DASHBOARD_SECURITY)
@UseGuards(DashboardAuthGuard)
@Controller('kbs/:kb_id/members')
export class MembersController {
  constructor(private readonly members: MembersService) {}

  /**
   * List the members
   * @remarks Every member may use the knowledge base and its keys.
   */
  @Get()
  @ApiPage(MemberDto)
  @ApiDashboardProblems('validation_failed', 'not_found')
  listMembers(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Query() query: PageQueryDto,
  ): Promise<Page<MemberDto>> {
    return this.members.list(user, kbId, query);
  }

  /**
   * Add a member or change their role
   * @remarks Owners only.
   */
  @Put(':user_id')
  @OwnersOnly()
  @ApiParam(USER_ID_PARAM)
  @ApiDashboardProblems(...BODY_PROBLEMS, 'owner_required', 'not_found', 'last_owner')
  putMember(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Param('user_id', UserIdPipe) userId: string,
    @Body() dto: PutMemberDto,
  ): Promise<MemberDto> {
    return this.members.put(user, kbId, userId, dto.role);
  }

  /**
   * Remove a member
   * @remarks Owners only. The last owner stays.
   */
  @Delete(':user_id')
  @OwnersOnly()
  @ApiParam(USER_ID_PARAM)
  @ApiDashboardProblems(...BODY_PROBLEMS, 'owner_required', 'not_found', 'last_owner')
  async removeMember(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Param('user_id', UserIdPipe) userId: string,
  ): Promise<SuccessDto> {
    await this.members.remove(user, kbId, userId);
    return SUCCESS;
  }
}
