import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

interface Line {
  readonly label: string;
  readonly values: readonly (number | null)[];
  /** A custom property of the style sheet, such as `--series-1`. */
  readonly color: string;
}

const HEIGHT = 220;

/** Lines over time. The same figures stand in a table beneath, for those who cannot see it. */
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
    const axis = { stroke: color('--quiet'), grid: { stroke: color('--line') } };
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        legend: { live: true },
        axes: [axis, { ...axis, size: 56 }],
        scales: { y: { range: (_, __, max) => [0, Math.max(1, max * 1.1)] } },
        series: [
          {},
          ...lines.map((line) => ({
            label: line.label,
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

/** A line without axes, for a table. */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const max = Math.max(1, ...values);
  const step = 100 / Math.max(1, values.length - 1);
  const points = values.map((value, index) => `${index * step},${22 - (value / max) * 20}`);
  return (
    <svg
      class="sparkline"
      viewBox="0 0 100 24"
      role="img"
      aria-label={label}
      preserveAspectRatio="none"
    >
      <polyline points={points.join(' ')} />
    </svg>
  );
}
