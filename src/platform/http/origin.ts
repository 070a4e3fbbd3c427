import { ValidateBy } from 'class-validator';

/** Of the longest host name with scheme and port. */
export const MAX_ORIGIN_LENGTH = 'https://'.length + 253 + ':65535'.length;

/** Each entry of a list is an origin as browsers send it: scheme, host and port, no path. */
export const IsOrigin = () =>
  ValidateBy(
    {
      name: 'isOrigin',
      validator: {
        validate: (value: unknown) =>
          typeof value === 'string' && URL.canParse(value) && new URL(value).origin === value,
        defaultMessage: () => '$property must list origins such as https://dashboard.example.com',
      },
    },
    { each: true },
  );
