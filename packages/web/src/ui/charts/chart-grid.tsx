import { formatCompact } from '../../lib/format.ts'

type ChartGridProps = {
  ticks: readonly number[]
  /** The left edge of the plot; the ticks are labelled before it. */
  left: number
  width: number
  y: (tick: number) => number
}

/** The lines of a chart's scale. */
export function ChartGrid({ ticks, left, width, y }: ChartGridProps) {
  return ticks.map((tick) => (
    <g key={tick}>
      <line
        x1={left}
        x2={left + width}
        y1={y(tick)}
        y2={y(tick)}
        stroke="var(--border)"
        strokeOpacity="0.7"
        shapeRendering="crispEdges"
      />
      <text x={left - 10} y={y(tick) + 4} textAnchor="end">
        {formatCompact(tick)}
      </text>
    </g>
  ))
}
