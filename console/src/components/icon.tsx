/** Strokes on a square of 16, drawn with a round pen. */
const PATHS = {
  access: 'M8 1.5 13 3.5v4c0 3.3-2 5.7-5 7-3-1.3-5-3.7-5-7v-4zM6 8l1.5 1.5L10.5 6.5',
  analytics: 'M2 14h12M4 11V8M8 11V3M12 11V6',
  answer: 'M2.5 3h11v8h-6l-3 2.5V11h-2zM5.5 7l1.5 1.5 3-3',
  audit: 'M3 2.5h10v11H3zM5.5 5.5h5M5.5 8h5M5.5 10.5h3',
  back: 'M10 3.5 5.5 8l4.5 4.5',
  book: 'M3 2.5h8.5a1.5 1.5 0 0 1 1.5 1.5v9.5H4.5A1.5 1.5 0 0 1 3 12zM3 12a1.5 1.5 0 0 1 1.5-1.5H13',
  channel: 'M6.5 2 5 14M11 2 9.5 14M2.5 5.5h11.5M2 10.5h11.5',
  close: 'm4 4 8 8M12 4l-8 8',
  code: 'M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5',
  conversation: 'M2 3.5h12v7.5H7l-3 2.5V11H2z',
  cost: 'M8 2v12M11 4.5c-.5-.8-1.6-1.3-3-1.3-1.7 0-3 .8-3 2.2 0 3.2 6.2 1.7 6.2 5 0 1.5-1.4 2.4-3.2 2.4-1.5 0-2.7-.6-3.3-1.6',
  document: 'M4 1.5h5.5L12.5 4.5v10H4zM9 1.5V5h3.5M6 8h4.5M6 11h4.5',
  evaluation: 'M2.5 4.5 4 6l2.5-3M2.5 10.5 4 12l2.5-3M9 4.5h5M9 10.5h5',
  gap: 'M8 1.5a6.5 6.5 0 1 0 6.5 6.5M6.2 6.2A1.8 1.8 0 1 1 8 8.2v.8M8 11.5v.01M12 1.5v4M10 3.5h4',
  issuer:
    'M8 1.5l1.7 1.3 2.1-.1.6 2 1.7 1.2-.7 2 .7 2-1.7 1.2-.6 2-2.1-.1L8 14.5l-1.7-1.5-2.1.1-.6-2-1.7-1.2.7-2-.7-2 1.7-1.2.6-2 2.1.1zM6 8l1.5 1.5L10.5 6.5',
  keyboard: 'M1.5 4h13v8.5h-13zM4 6.5h.01M6.7 6.5h.01M9.3 6.5h.01M12 6.5h.01M4.5 10h7',
  leave: 'M6 2.5H2.5v11H6M10 5l3 3-3 3M13 8H6',
  key: 'M9.5 9.5a3.5 3.5 0 1 0-3-3L2 11v3h3v-2h2v-2zM11 5h.01',
  machine: 'M3 5h10v8H3zM8 5V2.5M6 8.5v.01M10 8.5v.01M6 11h4M1.5 8v2.5M14.5 8v2.5',
  members:
    'M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM1.5 13.5c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4M11 3a2.3 2.3 0 0 1 0 4.3M12.5 9.8c1.3.6 2 1.9 2 3.7',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  overview: 'M2.5 2.5h4.5v6H2.5zM9 2.5h4.5v3.5H9zM9 8h4.5v5.5H9zM2.5 10.5h4.5v3H2.5z',
  playground: 'M4.5 2.5 13 8l-8.5 5.5z',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.5 10.5l3.5 3.5',
  settings:
    'M2 4.5h6M12 4.5h2M2 11.5h2M8 11.5h6M10 6.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM6 13.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  site: 'M2 3h12v10H2zM2 6h12M4.2 4.5h.01M6.2 4.5h.01M8.5 9.5H12V11H8.5z',
  sort: 'M8 13V3M4 7l4-4 4 4',
  source:
    'M8 6.5c3.3 0 5.5-1 5.5-2.2S11.3 2 8 2 2.5 3 2.5 4.3s2.2 2.2 5.5 2.2zM2.5 4.3v7.4C2.5 13 4.7 14 8 14s5.5-1 5.5-2.3V4.3M2.5 8c0 1.3 2.2 2.2 5.5 2.2s5.5-.9 5.5-2.2',
  theme: 'M8 2a6 6 0 1 0 0 12zM8 2a6 6 0 0 1 0 12',
  user: 'M8 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2.5 14c0-2.8 2.3-4.5 5.5-4.5s5.5 1.7 5.5 4.5',
  warning: 'M8 2 1.5 13.5h13zM8 6.5v3M8 11.5v.01',
  webhook: 'M8.5 1.5 3 9h4.5l-1 5.5L12.5 7H8z',
  done: 'm3 8.5 3.5 3.5L13 4.5',
} as const;

export type IconName = keyof typeof PATHS;

/** @param directed it points along the line of text, so right-to-left pages mirror it */
export function Icon({ name, directed = false }: { name: IconName; directed?: boolean }) {
  return (
    <svg class={directed ? 'icon directed' : 'icon'} viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
