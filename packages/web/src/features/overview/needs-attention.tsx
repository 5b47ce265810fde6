import { ChevronRight, CircleCheck, LayoutTemplate, LifeBuoy, Megaphone, Wallet, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { libraries } from '../../channels/libraries.ts'
import { useApiReads } from '../../lib/use-api-reads.ts'
import { mayCall } from '../../lib/call.ts'
import { countOf, formatCount } from '../../lib/format.ts'
import type { Search } from '../../lib/search.ts'
import { openSupport } from '../../lib/support.ts'
import { useApi } from '../../lib/use-api.ts'
import { useIncluded } from '../../lib/use-included.ts'
import { AreaLink } from '../../ui/area-link.tsx'
import { Card } from '../../ui/card.tsx'
import { Region } from '../../ui/region.tsx'
import { places } from './dashboard-view.ts'

type Tone = 'bad' | 'care' | 'quiet'
type Row = {
  id: string
  icon: LucideIcon
  label: string
  /** The items, the most urgent first. */
  counts: readonly { words: string; tone: Tone }[]
  to?: string
  search?: Search
  onOpen?: () => void
}

const tones: Record<Tone, string> = {
  bad: 'text-danger-text',
  care: 'text-warning-text',
  quiet: 'text-muted-foreground',
}

/** Failed or stalled campaigns, rejected templates, open requests; each row links to the screen that resolves it. */
export function NeedsAttention() {
  const attention = useApi(
    'dashboard.attention',
    {},
    { refetchInterval: 60_000, enabled: mayCall('dashboard.attention') },
  )
  const templates = useTemplateRow()
  return (
    <Card title="Needs attention">
      <Region read={attention} label="what needs attention" lines={3}>
        {({ failingCount, topUpRequests, supportRequests }) => (
          <Rows
            rows={[
              {
                id: 'campaigns',
                icon: Megaphone,
                label: 'Campaigns',
                counts: [{ words: wordsOf(failingCount, 'failing'), tone: 'bad' }],
                to: 'campaigns',
              },
              templates,
              {
                id: 'requests',
                icon: Wallet,
                label: 'Top-up requests',
                counts: [{ words: wordsOf(topUpRequests, 'to answer'), tone: 'care' }],
                ...places.topUpsToAnswer,
              },
              {
                id: 'support',
                icon: LifeBuoy,
                label: 'Support',
                counts: [{ words: wordsOf(supportRequests, 'open'), tone: 'quiet' }],
                onOpen: () => openSupport(),
              },
            ]}
          />
        )}
      </Region>
    </Card>
  )
}

const templateTones = { rejected: 'bad', paused: 'care', 'in review': 'quiet' } as const
const kinds = ['rejected', 'paused', 'in review'] as const

/** Templates by the reviewer's decision. */
function useTemplateRow(): Row {
  const included = useIncluded('template') === true
  const watched = libraries.flatMap(({ templates }) => templates.attention)
  const reads = useApiReads(
    watched.map(({ count }) => count),
    { refetchInterval: 60_000, enabled: included },
  )
  const found = watched.map((one, index) => ({ ...one, count: reads[index]?.data ?? 0 }))
  const place = found.findLast(({ kind, count }) => kind === 'rejected' && count > 0)
  return {
    id: 'templates',
    icon: LayoutTemplate,
    label: 'Templates',
    counts: kinds.map((kind) => {
      const count = found.filter((one) => one.kind === kind).reduce((sum, one) => sum + one.count, 0)
      return { words: wordsOf(count, kind), tone: templateTones[kind] }
    }),
    ...(place ? { to: place.to, search: place.search } : { to: 'manage-templates' }),
  }
}

/** Empty if there is none. */
function wordsOf(count: number, what: string): string {
  return count > 0 ? `${formatCount(count)} ${what}` : ''
}

function Rows({ rows }: { rows: readonly Row[] }) {
  const shown = rows
    .map((row) => ({ ...row, counts: row.counts.filter(({ words }) => words !== '') }))
    .filter(({ counts }) => counts.length > 0)
  if (shown.length === 0)
    return (
      <p className="flex items-center gap-2 px-4 pb-4 text-muted-foreground">
        <CircleCheck aria-hidden className="size-4 text-success-text" /> You’re all caught up
      </p>
    )
  return (
    <ul aria-label={countOf(shown.length, 'item needs attention', 'items need attention')}>
      {shown.map((row) => (
        <li key={row.id} className="border-t border-line">
          <Target row={row}>
            <row.icon aria-hidden className="size-4 shrink-0 text-muted-foreground" />
            <span className="min-w-0 flex-1 truncate">{row.label}</span>
            {row.counts.map(({ words, tone }) => (
              <span key={words} className={`text-dense whitespace-nowrap tabular-nums ${tones[tone]}`}>
                {words}
              </span>
            ))}
            <ChevronRight aria-hidden className="size-4 shrink-0 text-muted-foreground" />
          </Target>
        </li>
      ))}
    </ul>
  )
}

/** The whole row is a link. */
function Target({ row, children }: { row: Row; children: ReactNode }) {
  const look =
    'flex min-h-11 w-full items-center gap-2.5 px-4 text-left hover:bg-accent focus-visible:-outline-offset-2'
  if (row.onOpen)
    return (
      <button type="button" onClick={row.onOpen} className={look}>
        {children}
      </button>
    )
  return (
    <AreaLink to={row.to ?? ''} search={row.search ?? {}} className={look}>
      {children}
    </AreaLink>
  )
}
