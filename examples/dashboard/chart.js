/* global document */

const SVG = 'http://www.w3.org/2000/svg';
const HEIGHT = 100;
const WIDTH = 10;

/** Questions per day as bars, and as a sentence for those who do not see them. */
export function chart({ totals, series }) {
  const asked = series.map(({ queries, chats }) => queries + chats);
  const most = Math.max(1, ...asked);
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', `0 0 ${series.length * WIDTH} ${HEIGHT}`);
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.setAttribute('role', 'img');
  const rate = totals.satisfaction_rate;
  svg.setAttribute(
    'aria-label',
    `${totals.queries + totals.chats} questions, at most ${Math.max(0, ...asked)} a day; ` +
      `${totals.unanswered} chats unanswered` +
      (rate === null ? '' : `; ${Math.round(rate * 100)} % of the ratings were good`),
  );
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
