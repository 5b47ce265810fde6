import type { ReactNode } from 'react'

export type Fact = readonly [label: string, value: ReactNode]

/** Labels on the left, values on the right, one pair per line. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="divide-y divide-line border-y border-border">
      {facts.map(([label, value]) => (
        <div key={label} className="flex min-h-9 items-center justify-between gap-4">
          <dt className="text-dense text-muted-foreground">{label}</dt>
          <dd className="min-w-0 truncate text-right">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
