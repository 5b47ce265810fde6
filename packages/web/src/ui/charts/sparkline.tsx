/** A line without axes, 56 by 20, with its end marked. */
export function Sparkline({ values }: { values: readonly number[] }) {
  if (values.length < 2) return null
  const highest = Math.max(...values)
  const lowest = Math.min(...values)
  // Fluctuations below one message, or five points of a share, are drawn to scale.
  const spread = Math.max(highest <= 1 ? 0.05 : 1, highest - lowest)
  const foot = (lowest + highest - spread) / 2
  const x = (index: number) => 2 + (52 * index) / (values.length - 1)
  const y = (value: number) => 17 - (14 * (value - foot)) / spread
  const last = values.length - 1
  return (
    <svg aria-hidden width="56" height="20" className="shrink-0 text-muted-foreground">
      <polyline
        points={values.map((value, index) => `${x(index)},${y(value)}`).join(' ')}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinejoin="round"
      />
      <circle cx={x(last)} cy={y(values[last] ?? 0)} r="2" fill="currentColor" />
    </svg>
  )
}
