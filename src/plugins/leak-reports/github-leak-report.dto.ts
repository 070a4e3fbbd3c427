import { PipeTransform } from '@nestjs/common';
import { ApiProperty, PickType } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';
import { MAX_JSON_BYTES } from '../../platform/http/json-body.js';
import { ReplaceUnstorable } from '../../platform/http/text.js';
import { BodyValidationPipe } from '../../platform/http/validation.pipe.js';
import { Problem } from '../../platform/problems/problem.js';
import { SECRET_SCHEMA } from '../../api-keys/api-secret.js';

export const MAX_GITHUB_LEAKS = 1000;
/** The body of an operation without a credential is small. */
export const MAX_GITLAB_LEAKS = 100;

/** A leaked secret in the form in which GitHub reports it. */
export class GithubLeakDto {
  /** The secret as it was found. */
  @IsString()
  @ApiProperty({ maxLength: MAX_JSON_BYTES, example: SECRET_SCHEMA.example })
  token: string;

  /**
   * GitHub’s name for this kind of secret.
   * @example 'latchkey_api_key'
   */
  @ReplaceUnstorable()
  @IsString()
  @ApiProperty({ maxLength: MAX_JSON_BYTES })
  type: string;

  /**
   * Where it was found.
   * @example 'https://github.com/octocat/Hello-World/blob/master/config.env'
   */
  @IsOptional()
  @ReplaceUnstorable()
  @IsString()
  @ApiProperty({ maxLength: MAX_JSON_BYTES })
  url?: string | null;

  /**
   * The kind of content in which it was found.
   * @example 'content'
   */
  @IsOptional()
  @ReplaceUnstorable()
  @IsString()
  @ApiProperty({ maxLength: MAX_JSON_BYTES })
  source?: string | null;
}

/** A leaked secret in the form in which GitLab reports it. */
export class GitlabLeakDto extends PickType(GithubLeakDto, ['token', 'url']) {
  /**
   * GitLab’s name for this kind of secret.
   * @example 'gitleaks_rule_id_latchkey'
   */
  @IsOptional()
  @ReplaceUnstorable()
  @IsString()
  @ApiProperty({ maxLength: MAX_JSON_BYTES })
  type?: string | null;

  /**
   * Where it was found, as a GitLab of one’s own says it; GitLab.com says `url`.
   * @example 'https://gitlab.com/shop/site/~/raw/1a2b/config.env'
   */
  @IsOptional()
  @ReplaceUnstorable()
  @IsString()
  @ApiProperty({ maxLength: MAX_JSON_BYTES })
  location?: string | null;
}

export class GithubLeakVerdictDto {
  /** The secret as it was reported. */
  @ApiProperty({ example: SECRET_SCHEMA.example }) token_raw: string;
  /** @example 'latchkey_api_key' */
  token_type: string;
  /**
   * `true_positive` for a key of ours, which this or an earlier report revoked.
   * @example 'true_positive'
   */
  label: 'true_positive' | 'false_positive';
}

/** Validates a body that is a list, of which each entry becomes a leak in the form of a host of repositories. */
export class LeaksPipe<Leak extends object> implements PipeTransform<unknown, Promise<Leak[]>> {
  private readonly validation = new BodyValidationPipe();

  constructor(
    private readonly metatype: new () => Leak,
    private readonly maxLeaks: number,
  ) {}

  async transform(body: unknown): Promise<Leak[]> {
    if (!Array.isArray(body) || body.length > this.maxLeaks) {
      throw new Problem('validation_failed', {
        detail: `The body must be a list of at most ${this.maxLeaks} leaked secrets.`,
      });
    }
    const leaks: Leak[] = [];
    for (const entry of body as unknown[]) {
      const metadata = { type: 'body', metatype: this.metatype } as const;
      leaks.push((await this.validation.transform(entry, metadata)) as Leak);
    }
    return leaks;
  }
}
