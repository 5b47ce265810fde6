import type { Audience } from '@carillon/contract/audience'
import clsx from 'clsx'
import { countOf, formatCount, formatPercent } from '../../../lib/format.ts'

const kinds = [
  { key: 'accepted', label: 'Valid', tint: 'bg-success', note: undefined },
  { key: 'suppressed', label: 'Suppressed', tint: 'bg-chart-1', note: 'opted out before' },
  { key: 'duplicate', label: 'Duplicate', tint: 'bg-muted-foreground', note: 'first row kept' },
  { key: 'invalid', label: 'Invalid', tint: 'bg-destructive', note: 'shown below' },
] as const

/** The result of every row; the counts add up to the rows of the file. Only old audiences have suppressed rows. */
export function AudienceCounts({ audience }: { audience: Audience }) {
  const rows = Math.max(1, audience.accepted + audience.suppressed + audience.duplicate + audience.invalid)
  const shown = kinds.filter(({ key }) => key !== 'suppressed' || audience.suppressed > 0)
  return (
    <>
      <dl
        className={clsx(
          'mt-4 grid tabular-nums max-md:gap-y-4',
          shown.length === 4
            ? 'grid-cols-[1.35fr_1fr_1fr_1fr] max-md:grid-cols-3'
            : 'grid-cols-[1.35fr_1fr_1fr] max-md:grid-cols-2',
        )}
      >
        {shown.map(({ key, label, tint, note }, index) => (
          <div
            key={key}
            className={clsx(
              'min-w-0',
              index > 0 && 'border-l border-border pl-4',
              index === 0 && 'max-md:col-span-full',
              index === 1 && 'max-md:border-0 max-md:pl-0',
            )}
          >
            <dt className="flex items-center gap-1.5 text-dense text-muted-foreground">
              <i aria-hidden className={clsx('size-2 rounded-[2px]', tint)} />
              {label}
            </dt>
            <dd className={clsx('font-semibold', index === 0 ? 'text-metric leading-7' : 'text-title')}>
              {formatCount(audience[key])}
            </dd>
            <dd className="truncate text-caption text-muted-foreground">
              {index === 0
                ? `${formatPercent(audience.accepted / rows)} of ${countOf(audience.total, 'row')}`
                : audience[key] > 0
                  ? note
                  : 'none'}
            </dd>
          </div>
        ))}
      </dl>
      <div aria-hidden className="mt-3.5 flex h-1.5 gap-0.5">
        {kinds.map(({ key, tint }) =>
          audience[key] > 0 ? (
            <i
              key={key}
              className={clsx(
                'min-w-1 rounded-full transition-[width] duration-(--layout-duration) ease-standard',
                tint,
              )}
              style={{ width: `${(audience[key] / rows) * 100}%` }}
            />
          ) : null,
        )}
      </div>
    </>
  )
}
