import { useEffect, useRef } from 'preact/hooks';
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

/** Lines over time. Their sums stand above it as text, for those who cannot see it. */
export function Chart({
  title,
  times,
  lines,
}: {
  title: string;
  times: readonly Date[];
  lines: readonly Line[];
}) {
  const container = useRef<HTMLDivElement>(null);
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
        legend: { live: true },
        axes: [axis, { ...axis, size: 56, incrs: WHOLE_STEPS }],
        scales: { y: { range: (_, __, max) => [0, Math.max(1, max * 1.1)] } },
        series: [
          { label: 'Time', value: (_: uPlot, at: number | null) => (at === null ? '' : when(at)) },
          ...lines.map((line) => ({
            label: line.label,
            value: (_: uPlot, value: number | null) => (value === null ? '' : number(value)),
            stroke: color(line.color),
            width: 2,
            points: { show: times.length < 40 },
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
  }, [times, lines]);
  return (
    <figure>
      <figcaption>{title}</figcaption>
      <div ref={container} aria-hidden="true" />
    </figure>
  );
}
