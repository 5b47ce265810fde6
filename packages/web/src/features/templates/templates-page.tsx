import { ChevronRight } from 'lucide-react'
import { ChannelMark } from '../../channels/channel-mark.tsx'
import { readableLibraries, type Library } from '../../channels/libraries.ts'
import { useApiReads } from '../../lib/use-api-reads.ts'
import { formatCount } from '../../lib/format.ts'
import { AreaLink } from '../../ui/area-link.tsx'
import { Denied } from '../../ui/denied.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Page } from '../../ui/page.tsx'
import { NewTemplate } from './new-template.tsx'
import { RejectedTemplates } from './rejected-templates.tsx'

/** The template library: counts by channel, rejected templates, and the latest. */
export function TemplatesPage() {
  const libraries = readableLibraries()
  const totals = useApiReads(libraries.map(({ templates }) => templates.total))
  const rejected = useApiReads(libraries.map(({ templates }) => templates.rejected))
  if (libraries.length === 0) return <Denied />

  return (
    <Page title="Templates" actions={<NewTemplate />}>
      <Failures reads={totals} />
      <div className="grid grid-cols-[repeat(auto-fill,minmax(280px,1fr))] gap-4 pb-6 screen-x">
        {libraries.map((library, index) => (
          <LibraryCard
            key={library.channel}
            library={library}
            total={totals[index]?.data}
            isFailed={totals[index]?.isError ?? false}
            rejected={rejected[index]?.data?.total ?? 0}
          />
        ))}
        {libraries.map(({ channel, templates: { ImportCard } }) => (ImportCard ? <ImportCard key={channel} /> : null))}
      </div>
      <RejectedTemplates libraries={libraries} found={rejected.map(({ data }) => data?.first ?? [])} />
      {libraries.map(({ channel, templates: { Latest } }) => (Latest ? <Latest key={channel} /> : null))}
    </Page>
  )
}

type Read = { data: number | undefined; error: Error | null; refetch: () => unknown; dataUpdatedAt: number }

/** Shows the first error; a retry reloads everything that failed. */
function Failures({ reads }: { reads: readonly Read[] }) {
  const failed = reads.filter(({ error }) => error)
  const [first] = failed
  if (!first?.error) return null
  return (
    <div className="pb-4">
      <Failure
        error={first.error}
        onRetry={() => failed.forEach(({ refetch }) => void refetch())}
        staleSince={first.data === undefined ? undefined : first.dataUpdatedAt}
      />
    </div>
  )
}

type LibraryCardProps = { library: Library; total: number | undefined; isFailed: boolean; rejected: number }

/** Link to a channel's templates, with their number. */
function LibraryCard({ library: { channel, templates }, total, isFailed, rejected }: LibraryCardProps) {
  const detail = isFailed ? 'Not available right now' : 'Counting'
  return (
    <AreaLink
      to={templates.screens.listPath}
      className="group flex flex-col gap-3 rounded-lg border border-border bg-card p-4 shadow-1 hover:border-edge"
    >
      <span className="flex items-center justify-between">
        <ChannelMark channel={channel} large />
        <ChevronRight aria-hidden className="size-4 text-muted-foreground" />
      </span>
      <span className="text-metric font-semibold tabular-nums">{total === undefined ? '—' : formatCount(total)}</span>
      <span className="text-dense text-muted-foreground">
        {total === undefined ? detail : templates.describe({ total, rejected })}
      </span>
    </AreaLink>
  )
}
