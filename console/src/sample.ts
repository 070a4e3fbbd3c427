import type { Api } from './api.js';

/**
 * The console recognises the sample by this description; with another one it is a knowledge base like any other.
 */
export const SAMPLE_DESCRIPTION =
  'A sample: what the customers of Fernwood Outdoor, a shop that does not exist, ask about.';

/** Suggested questions; the documents do not answer the last one. */
export const SAMPLE_QUESTIONS = [
  'How long can I return a tent?',
  'Which jacket size fits a chest of 100 cm?',
  'Do you ship to Switzerland?',
  'Can I rent a kayak?',
] as const;

const RETURNS = `# Returns and refunds

Customers may return any order within 30 days of delivery. Tents and sleeping bags may be returned within 60 days, as long as they have not been used outdoors.

Fernwood pays for the return parcel in Germany, Austria and the Netherlands. From other countries the customer pays, and gets 8 € back with the refund.

## How a return works

1. Open *My orders* and choose the order.
2. Choose the articles and the reason, and print the label.
3. Hand in the parcel within 7 days.

The money is paid back within 5 working days after the parcel has arrived, to the card or account that paid for the order.

## What cannot be returned

Opened food, used water filters and articles made to measure cannot be returned.
`;

const DELIVERY = `# Delivery

Orders placed before 14:00 on a working day leave the warehouse on the same day.

| Country | Cost | Time |
|---|---|---|
| Germany | 4.90 €, free from 60 € | 1 to 2 working days |
| Austria, Netherlands | 6.90 €, free from 80 € | 2 to 3 working days |
| Switzerland | 14.90 €, customs included | 3 to 5 working days |
| Other countries of the EU | 9.90 € | 3 to 6 working days |

Boats, and tents of more than 20 kg, are delivered by a forwarding agent, who calls to agree on a day. This costs 39 € and takes up to two weeks.

A parcel that has not arrived ten working days after it left is sent again or paid back, as the customer prefers.
`;

const WARRANTY = `# Warranty and repairs

Everything that Fernwood makes itself has a warranty of five years. It covers faults in material and workmanship: seams that open, zips that break, coatings that come off. It does not cover wear, accidents, or damage from washing at more than 30 °C.

## Repairs

Fernwood repairs what it has made, also after the warranty has ended. A repair takes about three weeks.

- A new zip on a jacket costs 35 €.
- Sealing the seams of a tent costs 48 €.
- Patches on sleeping mats are free.

Send the article, washed, to the workshop in Freiburg with the repair form. The workshop says what it will cost before it begins.
`;

const SIZES = `# Sizes of jackets

Measure around the fullest part of the chest, under the arms, with the tape held level.

| Size | Chest | Waist | Arm |
|---|---|---|---|
| S | 88 to 94 cm | 76 to 82 cm | 62 cm |
| M | 95 to 101 cm | 83 to 89 cm | 64 cm |
| L | 102 to 108 cm | 90 to 97 cm | 66 cm |
| XL | 109 to 116 cm | 98 to 106 cm | 68 cm |

Insulated jackets are cut wider: there is room for a pullover below. Whoever is between two sizes takes the larger one for insulated jackets and the smaller one for rain jackets.
`;

const SHOPS = `# Shops and service

The shops in Freiburg, Munich and Utrecht are open from Monday to Saturday, 10:00 to 19:00. On Thursdays the shop in Munich stays open until 21:00. All shops are closed on Sundays and public holidays.

Customer service answers by telephone from Monday to Friday, 9:00 to 17:00, and by mail within one working day.

In every shop, shoes are resoled and skis are waxed. Waxing costs 15 € and is done while you wait; resoling takes ten days.
`;

const DOCUMENTS = [
  ['Returns and refunds', RETURNS],
  ['Delivery', DELIVERY],
  ['Warranty and repairs', WARRANTY],
  ['Sizes of jackets', SIZES],
  ['Shops and service', SHOPS],
] as const;

/** Creates a small knowledge base to try everything with, and returns its id. */
export async function createSample(api: Api): Promise<string> {
  const body = { name: 'Fernwood Outdoor', description: SAMPLE_DESCRIPTION };
  const { id } = await api.post('/api/v1/kbs', { body });
  for (const [title, text] of DOCUMENTS) {
    await api.post('/api/v1/kbs/{kb_id}/documents', {
      path: { kb_id: id },
      body: { title, text, mime_type: 'text/markdown' },
    });
  }
  return id;
}
