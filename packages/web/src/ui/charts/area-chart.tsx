import { useId, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { useWidth } from '../../lib/use-width.ts'
import { ChartGrid } from './chart-grid.tsx'
import { ChartTip } from './chart-tip.tsx'
import { ticksOf } from './scale.ts'

export type Series = {
  id: string
  label: string
  /** A token such as `var(--brand)`. */
  color: string
  dash?: string
  weight?: number
  values: readonly number[]
}

type AreaChartProps = {
  /** One-sentence summary for screen readers. */
  summary: string
  /** One label per point. */
  points: readonly string[]
  series: readonly Series[]
  height?: number
  /** The last point is incomplete: 'today so far'. */
  partial?: string
  /** The series are parts of a whole, so shares are shown. */
  sharesWhole?: boolean
}

const space = { top: 22, right: 76, bottom: 28, left: 44 } as const

/** Area chart with up to four series; the crosshair follows pointer and arrow keys. */
export function AreaChart({ summary, points, series, height = 220, partial, sharesWhole = true }: AreaChartProps) {
  const [box, width] = useWidth()
  const [at, setAt] = useState<number>()
  const gradient = useId()
  const ticks = ticksOf(Math.max(0, ...series.flatMap(({ values }) => [...values])))
  const top = ticks.at(-1) ?? 1
  const inner = { width: Math.max(1, width - space.left - space.right), height: height - space.top - space.bottom }
  const last = Math.max(1, points.length - 1)
  const x = (index: number) => space.left + (inner.width * index) / last
  const y = (value: number) => space.top + inner.height * (1 - value / top)

  function onPointerMove(event: PointerEvent<SVGSVGElement>) {
    const left = event.clientX - event.currentTarget.getBoundingClientRect().left
    setAt(Math.min(points.length - 1, Math.max(0, Math.round(((left - space.left) / inner.width) * last))))
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    setAt((now) => Math.min(points.length - 1, Math.max(0, (now ?? points.length - 1) + step)))
  }

  return (
    <div ref={box} className="relative min-w-0">
      <svg
        role="img"
        aria-label={summary}
        tabIndex={0}
        width={width}
        height={height}
        onPointerMove={onPointerMove}
        onPointerLeave={() => setAt(undefined)}
        onKeyDown={onKeyDown}
        onBlur={() => setAt(undefined)}
        className="block max-w-full overflow-visible text-caption [&_text]:fill-muted-foreground [&_text]:tabular-nums"
      >
        <Fills series={series} gradient={gradient} />
        <ChartGrid left={space.left} ticks={ticks} width={inner.width} y={y} />
        <XLabels points={points} x={x} y={height - 8} room={inner.width} />
        {partial && points.length > 1 ? (
          <PartialPoint label={partial} from={x(last - 0.5)} to={x(last)} height={inner.height} gradient={gradient} />
        ) : null}
        <Lines series={series} gradient={gradient} x={x} y={y} />
        <EndLabels series={series} x={x(last) + 8} y={y} foot={space.top + inner.height} />
        {at === undefined ? null : (
          <Crosshair at={at} series={series} x={x(at)} y={y} foot={space.top + inner.height} />
        )}
      </svg>
      {at === undefined ? null : (
        <ChartTip title={points[at] ?? ''} flip={x(at) > width / 2} left={x(at)} {...{ at, series, sharesWhole }} />
      )}
    </div>
  )
}

/** Gradients of the areas, and hatching for the incomplete part. */
function Fills({ series, gradient }: { series: readonly Series[]; gradient: string }) {
  return (
    <defs>
      {series.map(({ id, color }) => (
        <linearGradient key={id} id={`${gradient}-${id}`} x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor={color} stopOpacity="0.18" />
          <stop offset="1" stopColor={color} stopOpacity="0" />
        </linearGradient>
      ))}
      <pattern
        id={`${gradient}-partial`}
        width="6"
        height="6"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <line x1="0" y1="0" x2="0" y2="6" stroke="var(--muted-foreground)" strokeOpacity="0.25" strokeWidth="1.5" />
      </pattern>
    </defs>
  )
}

type PartialPointProps = { label: string; from: number; to: number; height: number; gradient: string }

function PartialPoint({ label, from, to, height, gradient }: PartialPointProps) {
  return (
    <g>
      <rect x={from} y={space.top} width={to - from} height={height} fill={`url(#${gradient}-partial)`} />
      <text x={to} y={space.top - 8} textAnchor="end">
        {label}
      </text>
    </g>
  )
}

type CrosshairProps = { at: number; series: readonly Series[]; x: number; y: (value: number) => number; foot: number }

function Crosshair({ at, series, x, y, foot }: CrosshairProps) {
  return (
    <g pointerEvents="none">
      <line x1={x} x2={x} y1={space.top} y2={foot} stroke="var(--muted-foreground)" strokeOpacity="0.6" />
      {series.map(({ id, values, color }) => (
        <circle key={id} cx={x} cy={y(values[at] ?? 0)} r="4" fill={color} stroke="var(--card)" strokeWidth="1.5" />
      ))}
    </g>
  )
}

type LinesProps = {
  series: readonly Series[]
  gradient: string
  x: (index: number) => number
  y: (value: number) => number
}

/** Areas first, so that they do not cover lines. */
function Lines({ series, gradient, x, y }: LinesProps) {
  const pathOf = (values: readonly number[]) =>
    // A single point becomes a dot through round line caps.
    values.map((value, index) => `${index === 0 ? 'M' : 'L'}${x(index)} ${y(value)}`).join('') +
    (values.length === 1 ? 'h0' : '')
  return (
    <>
      {series.map(({ id, values }) => (
        <path
          key={id}
          d={`${pathOf(values)}L${x(values.length - 1)} ${y(0)}L${x(0)} ${y(0)}Z`}
          fill={`url(#${gradient}-${id})`}
        />
      ))}
      {series.map(({ id, values, color, dash, weight = 2 }) => (
        <path
          key={id}
          d={pathOf(values)}
          fill="none"
          stroke={color}
          strokeWidth={weight}
          strokeDasharray={dash}
          strokeLinejoin="round"
          strokeLinecap="round"
        />
      ))}
    </>
  )
}

const labelRoom = 56

/** At most seven labels, as space permits; counted from the end, so that today is labelled. */
function XLabels({
  points,
  x,
  y,
  room,
}: {
  points: readonly string[]
  x: (index: number) => number
  y: number
  room: number
}) {
  const every = Math.ceil(points.length / Math.max(1, Math.min(7, Math.floor(room / labelRoom))))
  const last = points.length - 1
  return points.map((point, index) =>
    (last - index) % every === 0 ? (
      <text key={index} x={x(index)} y={y} textAnchor={index === 0 ? 'start' : index === last ? 'end' : 'middle'}>
        {point}
      </text>
    ) : null,
  )
}

const labelHeight = 15

type EndLabelsProps = { series: readonly Series[]; x: number; y: (value: number) => number; foot: number }

/** Series names at the line ends, moved apart to avoid overlap, above the axis. */
function EndLabels({ series, x, y, foot }: EndLabelsProps) {
  const placed = series
    .map((one) => ({ ...one, place: y(one.values.at(-1) ?? 0) + 4 }))
    .sort((a, b) => a.place - b.place)
  let lowest = -Infinity
  return placed.map(({ id, label, color, place }, index) => {
    const room = foot + 4 - (placed.length - 1 - index) * labelHeight
    lowest = Math.min(room, Math.max(place, lowest + labelHeight))
    return (
      <text key={id} x={x} y={lowest} className="font-medium" style={{ fill: color }}>
        {label}
      </text>
    )
  })
}
