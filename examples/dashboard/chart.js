/* global document */

const SVG = 'http://www.w3.org/2000/svg';
const HEIGHT = 100;
const WIDTH = 10;

const perDay = (series) => series.map(({ queries, chats }) => queries + chats);

const numberOf = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The numbers of the chart, as a sentence. */
export function figures({ totals, series }) {
  const asked = totals.queries + totals.chats;
  if (asked === 0) return 'Nobody has asked anything yet.';
  const rate = totals.satisfaction_rate;
  return (
    `${numberOf(asked, 'question')}, at most ${Math.max(...perDay(series))} a day; ` +
    `${numberOf(totals.unanswered, 'chat')} unanswered` +
    (rate === null ? '.' : `; ${Math.round(rate * 100)} % of the ratings were good.`)
  );
}

/** Questions per day as bars, each with a tooltip. */
export function chart(analytics) {
  const { series } = analytics;
  const asked = perDay(series);
  const most = Math.max(1, ...asked);
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', `0 0 ${series.length * WIDTH} ${HEIGHT}`);
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', figures(analytics));
  asked.forEach((count, day) => {
    const height = (count / most) * HEIGHT;
    const bar = document.createElementNS(SVG, 'rect');
    const place = { x: day * WIDTH + 1, y: HEIGHT - height, width: WIDTH - 2, height };
    for (const [name, value] of Object.entries(place)) bar.setAttribute(name, value);
    const title = document.createElementNS(SVG, 'title');
    title.textContent = `${series[day].date}: ${count}`;
    bar.append(title);
    svg.append(bar);
  });
  return svg;
}
