import { useId, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { useWidth } from '../../lib/use-width.ts'
import { ChartGrid } from './chart-grid.tsx'
import { ChartTip } from './chart-tip.tsx'
import { ticksOf } from './scale.ts'

export type BarSeries = { id: string; label: string; color: string; values: readonly number[] }

type StackedBarsProps = {
  /** One-sentence summary for screen readers. */
  summary: string
  /** One label per bar. */
  points: readonly string[]
  series: readonly BarSeries[]
  height?: number
  /** The last bar is incomplete: 'today so far'. */
  partial?: string
  /** Called with the first and last selected bar. */
  onBrush?: (first: number, last: number) => void
}

const space = { top: 12, right: 8, bottom: 28, left: 44 } as const
const labelRoom = 56

/** Stacked bars by day. Dragging selects bars; arrow keys move between them. */
export function StackedBars({ summary, points, series, height = 220, partial, onBrush }: StackedBarsProps) {
  const [box, width] = useWidth()
  const hatch = useId()
  const [at, setAt] = useState<number>()
  const [from, setFrom] = useState<number>()
  const sums = points.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0))
  const ticks = ticksOf(Math.max(0, ...sums))
  const inner = { width: Math.max(1, width - space.left - space.right), height: height - space.top - space.bottom }
  const step = inner.width / Math.max(1, points.length)
  const scale = (value: number) => (inner.height * value) / (ticks.at(-1) ?? 1)

  function barUnder(event: PointerEvent<SVGSVGElement>): number {
    const left = event.clientX - event.currentTarget.getBoundingClientRect().left - space.left
    return Math.min(points.length - 1, Math.max(0, Math.floor(left / step)))
  }
  function onPointerUp(event: PointerEvent<SVGSVGElement>) {
    const to = barUnder(event)
    if (from !== undefined && from !== to) onBrush?.(Math.min(from, to), Math.max(from, to))
    setFrom(undefined)
  }
  function onKeyDown(event: KeyboardEvent) {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (by === 0) return
    event.preventDefault()
    setAt((now) => Math.min(points.length - 1, Math.max(0, (now ?? points.length) + by)))
  }

  return (
    <div ref={box} className="relative min-w-0">
      <svg
        role="img"
        aria-label={summary}
        tabIndex={0}
        width={width}
        height={height}
        onPointerDown={(event) => onBrush && event.pointerType === 'mouse' && setFrom(barUnder(event))}
        onPointerMove={(event) => setAt(barUnder(event))}
        onPointerUp={onPointerUp}
        onPointerLeave={() => {
          setAt(undefined)
          setFrom(undefined)
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setAt(undefined)}
        className="block max-w-full overflow-visible text-caption select-none [&_text]:fill-muted-foreground [&_text]:tabular-nums"
      >
        <ChartGrid
          left={space.left}
          ticks={ticks}
          width={inner.width}
          y={(tick) => space.top + inner.height - scale(tick)}
        />
        {at === undefined ? null : (
          <Shade first={Math.min(from ?? at, at)} last={Math.max(from ?? at, at)} step={step} height={inner.height} />
        )}
        {points.map((point, index) => (
          <Bar key={index} index={index} {...{ series, step, scale }} foot={space.top + inner.height} label={point} />
        ))}
        {partial ? (
          <Hatch
            id={hatch}
            step={step}
            last={points.length - 1}
            height={scale(sums.at(-1) ?? 0)}
            foot={space.top + inner.height}
          />
        ) : null}
        <Labels points={points} step={step} y={height - 8} room={inner.width} />
      </svg>
      {at === undefined ? null : (
        <ChartTip
          title={[points[at], at === points.length - 1 ? partial : undefined].filter(Boolean).join(', ')}
          at={at}
          series={series}
          left={space.left + step * (at + 0.5)}
          flip={space.left + step * at > width / 2}
          sharesWhole
        />
      )}
    </div>
  )
}

function Shade({ first, last, step, height }: { first: number; last: number; step: number; height: number }) {
  return (
    <rect
      x={space.left + first * step}
      y={space.top}
      width={(last - first + 1) * step}
      height={height}
      fill="var(--accent)"
    />
  )
}

type BarProps = {
  index: number
  label: string
  series: readonly BarSeries[]
  step: number
  scale: (value: number) => number
  foot: number
}

function Bar({ index, series, step, scale, foot }: BarProps) {
  const gap = gapOf(step)
  let below = 0
  return series.map(({ id, color, values }) => {
    const height = scale(values[index] ?? 0)
    below += height
    return (
      <rect
        key={id}
        x={space.left + index * step + gap / 2}
        y={foot - below}
        width={Math.max(1, step - gap)}
        height={height}
        fill={color}
        rx={step > 8 ? 1.5 : 0}
      />
    )
  })
}

type HatchProps = { id: string; step: number; last: number; height: number; foot: number }

/** Stripes over the last bar. */
function Hatch({ id, step, last, height, foot }: HatchProps) {
  const gap = gapOf(step)
  return (
    <>
      <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="2" height="5" fill="var(--card)" fillOpacity="0.7" />
      </pattern>
      <rect
        x={space.left + last * step + gap / 2}
        y={foot - height}
        width={Math.max(1, step - gap)}
        height={height}
        fill={`url(#${id})`}
      />
    </>
  )
}

function gapOf(step: number): number {
  return step > 8 ? Math.min(8, step * 0.25) : step > 3 ? 1 : 0
}

type LabelsProps = { points: readonly string[]; step: number; y: number; room: number }

function Labels({ points, step, y, room }: LabelsProps) {
  const every = Math.ceil(points.length / Math.max(1, Math.min(9, Math.floor(room / labelRoom))))
  return points.map((point, index) =>
    (points.length - 1 - index) % every === 0 ? (
      <text key={index} x={space.left + step * (index + 0.5)} y={y} textAnchor="middle">
        {point}
      </text>
    ) : null,
  )
}
