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

/** The label of a setting in the console, and the heading that it is under. */
const InForm = (group: 'Answers' | 'Search' | 'Documents' | 'Limits' | 'Privacy', title: string) =>
  ApiProperty({ title, ...{ 'x-group': group } });

/**
 * All settings of a knowledge base with their defaults, as sent to clients; docs/settings.md describes
 * their effects.
 */
export class SettingsDto {
  /**
   * Instructions for the model, before the passages: at most 8000 characters.
   * @example 'Answer briefly and in the language of the question.'
   */
  @InForm('Answers', 'System prompt')
  @IsText(0, 8000)
  system_prompt: string | null = null;

  /** The temperature of the model, 0 to 2; null to leave it to the provider. */
  @InForm('Answers', 'Temperature') @IsNumberWithin(0, 2) temperature: number | null = null;

  /**
   * A model that the operator lists; `extractive` answers without a model; null for the operator’s choice.
   * @example null
   */
  @InForm('Answers', 'Model') @Trim() @IsText(1, 200) model: string | null = null;

  /**
   * Whether the answer is quoted from the documents (`model: "extractive"`) if the model fails, instead of
   * 502 or 504.
   */
  @InForm('Answers', 'Quote the documents when the model fails')
  @IsBoolean()
  fallback_to_extractive: boolean = false;

  /**
   * Who can open the originals of documents: `members`, or also those who get answers from them, by the
   * links in their sources.
   */
  @InForm('Privacy', 'Originals')
  @IsIn(['members', 'readers'])
  originals: 'members' | 'readers' = 'members';

  /**
   * Who can read documents without a rule of their own: everybody who may ask (`members`), or nobody
   * (`closed`).
   */
  @InForm('Privacy', 'Documents without a rule')
  @IsIn(['members', 'closed'])
  default_access: 'members' | 'closed' = 'members';

  /** The number of passages per question if the request does not say. */
  @InForm('Search', 'Passages for an answer') @IsInteger(1, 50) top_k: number = 5;

  /** Passages below this score are left out. A request can set its own. */
  @InForm('Search', 'Minimum score') @IsNumber() min_score: number | null = null;

  /**
   * The least `confidence` of an answer without a language model, from 0 (always answer) to 1; below it the
   * question is not answered. Null for the default, where few questions are answered that the documents do
   * not answer.
   * @example null
   */
  @InForm('Answers', 'Answer threshold')
  @IsNumberWithin(0, 1)
  answer_threshold: number | null = null;

  /**
   * The answer if the documents do not contain one: a text of 1 to 2000 characters, or an object of such
   * texts by language. By default it is in the language of the question.
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

  /** The number of earlier messages of a conversation that the model gets. */
  @InForm('Answers', 'Earlier messages') @IsInteger(0, 100) history_messages: number = 10;

  /** Words per passage. Documents that were indexed with another value have `needs_reindex`. */
  @InForm('Search', 'Words in a passage') @IsInteger(20, 2000) chunk_size: number = 300;

  /** Words that a passage repeats from the one before; less than half of `chunk_size`. */
  @InForm('Search', 'Overlap') @IsInteger(0, 500) chunk_overlap: number = 30;

  /**
   * Whether text is recognised on scanned pages and pictures: `auto` if a page has no text of its own or a
   * broken one; `always` on each page of a PDF; `off` never.
   */
  @InForm('Documents', 'Recognise scanned pages')
  @IsIn(['auto', 'off', 'always'])
  ocr: 'auto' | 'off' | 'always' = 'auto';

  /** The maximum number of recognised pages of a document. */
  @InForm('Documents', 'Recognised pages') @IsInteger(1, 2000) ocr_max_pages: number = 500;

  /** Requests per key and minute, for keys without a limit of their own. */
  @InForm('Limits', 'Requests per minute') @IsInteger(1, 1_000_000) rate_limit_per_minute: number =
    6000;

  /** Requests per end user of a key and minute, for keys without a limit of their own; null for no limit. */
  @InForm('Limits', 'Requests per end user')
  @IsInteger(1, 1_000_000)
  rate_limit_per_end_user: number | null = null;

  /**
   * How much one end user may use in a day or month; null for no budget. It has one of `messages`, `tokens`
   * and `cost`, such as `{"messages": 100, "period": "day"}`.
   * @example null
   */
  @IsBudget() budget_per_end_user: BudgetDto | null = null;

  /** Chat messages per day (UTC) of all keys together; null for no limit. */
  @InForm('Limits', 'Questions a day')
  @IsInteger(0, 100_000_000)
  daily_message_limit: number | null = null;

  /** Web origins whose pages may ask, at most 100; empty for none, null for any. */
  @InForm('Privacy', 'Allowed origins')
  @IsArray()
  @ArrayMaxSize(100)
  @MaxLength(MAX_ORIGIN_LENGTH, { each: true })
  @IsOrigin()
  // The field itself has no example, because trying it out would lock out Swagger UI's own page.
  @ApiProperty({
    items: { type: 'string', maxLength: MAX_ORIGIN_LENGTH, example: 'https://shop.example.com' },
  })
  allowed_origins: string[] | null = null;

  /** Conversations are erased this many days after their last message; null to keep them. */
  @InForm('Privacy', 'Retention in days')
  @IsInteger(1, 3650)
  retention_days: number | null = null;

  /**
   * How many days a document’s former content is kept after it was replaced; 0 to keep none. What is kept counts
   * towards the limit of storage.
   */
  @InForm('Documents', 'Days to keep former versions')
  @IsInteger(0, 3650)
  version_retention_days: number = 0;

  /** The maximum number of former versions of a document; the oldest are deleted first. */
  @InForm('Documents', 'Former versions of a document')
  @IsInteger(1, 100)
  version_limit: number = 20;

  /**
   * The longest life of API keys in days: new keys and successors get an `expires_at` accordingly. Null for
   * no limit. Existing keys are not changed.
   */
  @InForm('Limits', 'Maximum age of a key in days')
  @IsInteger(1, 3650)
  key_max_age_days: number | null = null;

  /**
   * While it is on, nothing in the knowledge base is deleted, overwritten or erased, by anybody or by
   * retention (409 `legal_hold`). This includes titles and metadata of documents, access sets and webhooks.
   * Only owners can change it.
   */
  @InForm('Privacy', 'Legal hold')
  @IsBoolean()
  legal_hold: boolean = false;
}
