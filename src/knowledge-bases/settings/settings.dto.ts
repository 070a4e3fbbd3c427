import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsBoolean, IsIn, IsNumber, MaxLength } from 'class-validator';
import {
  IsInteger,
  IsNumberWithin,
  IsOrigin,
  MAX_ORIGIN_LENGTH,
} from '../../platform/http/fields.js';
import { BudgetDto, IsBudget } from '../budgets/budget.dto.js';
import { IsText, IsTextByLanguage, type TextByLanguage, Trim } from '../../platform/http/text.js';

/** What the console's form calls a setting, and the heading that it stands under. */
const InForm = (group: 'Answers' | 'Passages' | 'Limits', title: string) =>
  ApiProperty({ title, ...{ 'x-group': group } });

/**
 * Every setting of a knowledge base with its default, as sent to clients; see docs/settings.md for what
 * follows from it.
 */
export class SettingsDto {
  /**
   * Instructions for the model, before the passages: at most 8000 characters.
   * @example 'Answer briefly and in the language of the question.'
   */
  @InForm('Answers', 'System prompt')
  @IsText(0, 8000)
  system_prompt: string | null = null;

  /** Of the model, 0 to 2; null leaves it to the provider. */
  @InForm('Answers', 'Temperature') @IsNumberWithin(0, 2) temperature: number | null = null;

  /**
   * One that the operator lists; `extractive` answers without one; null takes the operator’s choice.
   * @example null
   */
  @InForm('Answers', 'Model') @Trim() @IsText(1, 200) model: string | null = null;

  /**
   * Where the model fails, whether the answer is quoted from the documents (`model: "extractive"`)
   * rather than 502 or 504.
   */
  @InForm('Answers', 'Quote the documents when the model fails')
  @IsBoolean()
  fallback_to_extractive: boolean = false;

  /**
   * Who opens the originals of documents: `members`, or also whoever gets answers from them, by the links
   * in their sources.
   */
  @InForm('Answers', 'Originals')
  @IsIn(['members', 'readers'])
  originals: 'members' | 'readers' = 'members';

  /**
   * Who reads documents without a rule of their own: whoever may ask (`members`), or nobody (`closed`).
   */
  @InForm('Answers', 'Documents without a rule')
  @IsIn(['members', 'closed'])
  default_access: 'members' | 'closed' = 'members';

  /** Passages per question where the request names no number. */
  @InForm('Answers', 'Passages for an answer') @IsInteger(1, 50) top_k: number = 5;

  /** Passages below this score are left out; a request may name its own. */
  @InForm('Answers', 'Minimum score') @IsNumber() min_score: number | null = null;

  /**
   * How much of a question the documents must speak of for an answer, from 0 (always answer) to 1
   * (every word); null for the calibrated threshold.
   * @example null
   */
  @InForm('Answers', 'Answer threshold')
  @IsNumberWithin(0, 1)
  answer_threshold: number | null = null;

  /**
   * The answer where the documents have none: a text of 1 to 2000 characters, or an object of such
   * texts by language. By default in the language of the question.
   * @example 'I do not know. Please write to support@shop.example.com.'
   */
  @InForm('Answers', 'Fallback message')
  @IsTextByLanguage(2000)
  refusal_text: TextByLanguage | null = null;

  /**
   * The answer to greetings, thanks and questions about the service: a text of 1 to 2000 characters,
   * or an object of such texts by language. By default it names what the documents are about, in the
   * language of the message.
   * @example { "en": "Hello! Ask me about orders.", "de": "Hallo! Fragen Sie mich nach Bestellungen." }
   */
  @InForm('Answers', 'Greeting')
  @IsTextByLanguage(2000)
  greeting: TextByLanguage | null = null;

  /** How many earlier messages of a conversation the model gets. */
  @InForm('Answers', 'Earlier messages') @IsInteger(0, 100) history_messages: number = 10;

  /** Words per passage; documents indexed before have `needs_reindex`. */
  @InForm('Passages', 'Words in a passage') @IsInteger(20, 2000) chunk_size: number = 300;

  /** Words that a passage repeats of the one before; less than half of `chunk_size`. */
  @InForm('Passages', 'Overlap') @IsInteger(0, 500) chunk_overlap: number = 30;

  /**
   * Whether text is recognised on scanned pages and pictures: `auto` where a page has no text of its own,
   * or one that is broken; `always` on each page of a PDF; `off` never.
   */
  @InForm('Passages', 'Recognise scanned pages')
  @IsIn(['auto', 'off', 'always'])
  ocr: 'auto' | 'off' | 'always' = 'auto';

  /** Pages of a document that are recognised at most. */
  @InForm('Passages', 'Recognised pages') @IsInteger(1, 2000) ocr_max_pages: number = 500;

  /** Requests per key and minute, for keys without a limit of their own. */
  @InForm('Limits', 'Requests per minute') @IsInteger(1, 1_000_000) rate_limit_per_minute: number =
    6000;

  /** Requests per end user of a key and minute, for keys without a limit of their own; null for none. */
  @InForm('Limits', 'Requests per end user')
  @IsInteger(1, 1_000_000)
  rate_limit_per_end_user: number | null = null;

  /**
   * How much one end user may use in a day or month; null for any amount. One of `messages`, `tokens`
   * and `cost`, such as `{"messages": 100, "period": "day"}`.
   * @example null
   */
  @IsBudget() budget_per_end_user: BudgetDto | null = null;

  /** Chat messages per day (UTC), all keys together; null for no limit. */
  @InForm('Limits', 'Questions a day')
  @IsInteger(0, 100_000_000)
  daily_message_limit: number | null = null;

  /** Web origins whose pages may ask, at most 100; empty for none, null for any. */
  @InForm('Limits', 'Allowed origins')
  @IsArray()
  @ArrayMaxSize(100)
  @MaxLength(MAX_ORIGIN_LENGTH, { each: true })
  @IsOrigin()
  // The field itself has no example: tried out as it is, it would shut out Swagger UI's own page.
  @ApiProperty({
    items: { type: 'string', maxLength: MAX_ORIGIN_LENGTH, example: 'https://shop.example.com' },
  })
  allowed_origins: string[] | null = null;

  /** Conversations are erased so many days after their last message; null keeps them. */
  @InForm('Limits', 'Retention in days')
  @IsInteger(1, 3650)
  retention_days: number | null = null;

  /**
   * How long API keys work at most, in days: new keys and successors get an `expires_at` accordingly.
   * Null for no limit. Existing keys stay as they are.
   */
  @InForm('Limits', 'Maximum age of a key in days')
  @IsInteger(1, 3650)
  key_max_age_days: number | null = null;

  /**
   * While it is on, nothing of the knowledge base is deleted, overwritten or erased, by nobody and by no
   * retention (409 `legal_hold`): nor are titles and metadata of documents, access sets and webhooks.
   * Owners alone change it.
   */
  @InForm('Limits', 'Legal hold')
  @IsBoolean()
  legal_hold: boolean = false;
}
