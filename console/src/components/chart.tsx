import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { number } from './basics.js';
import 'uplot/dist/uPlot.min.css';

interface Line {
  readonly label: string;
  readonly values: readonly (number | null)[];
  /** A custom property of the style sheet, such as `--series-1`. */
  readonly color: string;
}

const HEIGHT = 220;
const WHOLE_STEPS = Array.from({ length: 12 }, (_, power) =>
  [1, 2, 5].map((n) => n * 10 ** power),
).flat();

const WHEN = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const when = (seconds: number) => WHEN.format(new Date(seconds * 1000));

const DAY_S = 86_400;
const DATE = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const HOUR = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
/** The labels of a time axis whose ticks are `step` seconds apart. */
const tickWords = (ticks: readonly number[], step: number) =>
  ticks.map((at) => (step < DAY_S ? HOUR : DATE).format(new Date(at * 1000)));

const DARK = matchMedia('(prefers-color-scheme: dark)');

/** Values over time as lines. The page also shows them as text above, for those who cannot see the chart. */
export function Chart(props: {
  title: string;
  times: readonly Date[];
  lines: readonly Line[];
  /** The text instead of a chart without values. */
  empty: string;
}) {
  const { title, times, lines } = props;
  const container = useRef<HTMLDivElement>(null);
  const [isDark, setDark] = useState(DARK.matches);
  useEffect(() => {
    const change = () => {
      setDark(DARK.matches);
    };
    DARK.addEventListener('change', change);
    return () => {
      DARK.removeEventListener('change', change);
    };
  }, []);
  const isEmpty = lines.every(({ values }) => values.every((value) => (value ?? 0) === 0));
  useEffect(() => {
    const element = container.current;
    if (!element) return;
    const style = getComputedStyle(element);
    const color = (name: string) => style.getPropertyValue(name).trim();
    const line = { stroke: color('--line'), width: 1 };
    const axis = { stroke: color('--quiet'), grid: line, ticks: line };
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        // The last point is at the edge.
        padding: [8, 24, 0, 0],
        legend: { live: true },
        axes: [
          { ...axis, values: (_: uPlot, ticks: number[], __, ___, step) => tickWords(ticks, step) },
          { ...axis, size: 56, incrs: WHOLE_STEPS },
        ],
        scales: { y: { range: (_, __, max) => [0, Math.max(1, max * 1.1)] } },
        series: [
          { label: 'Time', value: (_: uPlot, at: number | null) => (at === null ? '' : when(at)) },
          ...lines.map((line) => ({
            label: line.label,
            value: (_: uPlot, value: number | null) => (value === null ? '' : number(value)),
            stroke: color(line.color),
            width: 1.5,
            points: { size: 6, filter: findIsolated },
          })),
        ],
      },
      [times.map((time) => time.getTime() / 1000), ...lines.map(({ values }) => [...values])],
      element,
    );
    const observer = new ResizeObserver(() => {
      plot.setSize({ width: element.clientWidth, height: HEIGHT });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [times, lines, isDark, isEmpty]);
  return (
    <figure>
      <figcaption>{title}</figcaption>
      {isEmpty ? (
        <p class="quiet">{props.empty}</p>
      ) : (
        <div ref={container} dir="ltr" aria-hidden="true" />
      )}
    </figure>
  );
}

/** Finds values between two gaps, which no line would show. */
function findIsolated(plot: uPlot, series: number): number[] {
  const values = plot.data[series] ?? [];
  const has = (index: number) => values[index] !== undefined && values[index] !== null;
  return [...values.keys()].filter((index) => has(index) && !has(index - 1) && !has(index + 1));
}
