import { OptOutScope, OptOutSource, type OptOut } from '@carillon/contract/opt-outs'
import { BellOff, FileDown, Plus, SearchX, UserRoundCheck } from 'lucide-react'
import { useState } from 'react'
import { call, CallError, mayCall } from '../../lib/call.ts'
import { download } from '../../lib/download.ts'
import { formatDateTime, formatPhone } from '../../lib/format.ts'
import { settingsLink } from '../../lib/links.ts'
import { useApi } from '../../lib/use-api.ts'
import { useIncluded } from '../../lib/use-included.ts'
import { writeView } from '../../lib/url-state.ts'
import { useView } from '../../lib/use-view.ts'
import { AreaLink } from '../../ui/area-link.tsx'
import { Button } from '../../ui/button.tsx'
import { sourceOf, type Column } from '../../ui/data-screen/columns.ts'
import type { Filter } from '../../ui/data-screen/filter.ts'
import { FilterBar } from '../../ui/data-screen/filters.tsx'
import { ListPanel } from '../../ui/data-screen/list-panel.tsx'
import { SearchBox } from '../../ui/data-screen/search-box.tsx'
import { Denied } from '../../ui/denied.tsx'
import { Empty } from '../../ui/empty.tsx'
import { linkClass } from '../../ui/link-class.ts'
import { toast } from '../../ui/toast.tsx'
import { AddOptOutsDialog } from './add-opt-outs-dialog.tsx'
import { describeSource, scopeLabel, sourceLabels } from './opt-out-labels.ts'
import { RemoveOptOutDialog } from './remove-opt-out-dialog.tsx'
import { noFilter, settingsView, type SettingsView } from './settings-view.ts'

const columns: readonly Column<OptOut>[] = [
  {
    id: 'number',
    header: 'Number',
    cell: ({ phoneNumber }) => <span className="font-mono text-dense tracking-normal">{formatPhone(phoneNumber)}</span>,
  },
  { id: 'scope', header: 'Opted out of', width: 180, cell: ({ scope }) => scopeLabel(scope) },
  { id: 'how', header: 'How', width: 260, cell: (optOut) => describeSource(optOut) },
  { id: 'campaign', header: 'Campaign', width: 220, cell: ({ campaign }) => campaign?.name ?? '' },
  {
    id: 'since',
    header: 'Since',
    align: 'right',
    width: 190,
    cell: ({ at }) => <span className="text-muted-foreground">{formatDateTime(at)}</span>,
  },
]

/** Everyone who opted out of the organisation's messages. */
export function OptOutsSection() {
  const isIncluded = useIncluded('campaign')
  if (!mayCall('optOuts.list') || isIncluded === false) return <Denied />
  return <OptOuts />
}

function OptOuts() {
  const [view, setView] = useView(settingsView)
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<OptOut>()
  const filter = filterOf(view)
  const list = useApi(
    'optOuts.list',
    { query: { ...filter, page: view.page, limit: view.pageSize } },
    { keepPrevious: true },
  )
  const isNarrowed = Object.keys(filter).length > 0
  const isEmpty = list.data?.optOuts.length === 0 && !isNarrowed
  const add = (
    <Button size="sm" variant="primary" className="max-md:h-11" onClick={() => setAdding(true)}>
      <Plus aria-hidden /> Add numbers
    </Button>
  )
  return (
    <>
      <ReachNote />
      {isEmpty ? null : (
        <div className="flex min-h-14 flex-wrap items-center gap-2 py-3 screen-x">
          <div className="max-md:flex max-md:w-full">
            <SearchBox
              label="Search a number"
              value={view.number}
              onValueChange={(number) => setView({ number, page: 1 })}
            />
          </div>
          <FilterBar filters={filtersOf(view, setView)} />
          <span className="ml-auto flex gap-2">
            <Button size="sm" className="max-md:h-11" onClick={() => void saveCsv(filter)}>
              <FileDown aria-hidden /> CSV
            </Button>
            {add}
          </span>
        </div>
      )}
      <ListPanel
        label="Opt-outs"
        source={sourceOf(list, list.data?.optOuts)}
        columns={columns}
        rowId={({ scope, phoneNumber }) => `${scope} ${phoneNumber}`}
        rowName={({ phoneNumber }) => formatPhone(phoneNumber)}
        rowMenu={(row) => [
          { label: 'Remove from list…', icon: UserRoundCheck, destructive: true, onSelect: () => setRemoved(row) },
        ]}
        card={(row) => <OptOutCard {...row} />}
        empty={
          isNarrowed ? (
            <NoMatch onClear={() => setView(noFilter)} />
          ) : (
            <Empty icon={BellOff} title="No opt-outs yet" actions={add}>
              People who reply STOP appear here and get no more messages. You can also add numbers yourself.
            </Empty>
          )
        }
        paging={{
          page: view.page,
          pageSize: view.pageSize,
          total: list.data?.total,
          totalPages: list.data?.totalPages,
          onPage: (page) => setView({ page }),
          onPageSize: (pageSize) => setView({ pageSize, page: 1 }),
        }}
      />
      {isAdding ? <AddOptOutsDialog onClose={() => setAdding(false)} /> : null}
      {removed ? <RemoveOptOutDialog optOut={removed} onClose={() => setRemoved(undefined)} /> : null}
    </>
  )
}

/** Whether the listed opt-outs stop messages on every channel. */
function ReachNote() {
  const rules = useApi('sendingRules.get', {}, { staleTime: 60_000 })
  if (rules.data?.optOutScope !== 'all') return null
  return (
    <p className="pt-3 text-dense text-muted-foreground screen-x">
      An opt-out on any channel stops messages on every channel.{' '}
      <AreaLink to="general" search={writeView(settingsLink, { tab: 'limits' })} className={linkClass}>
        Sending limits
      </AreaLink>
    </p>
  )
}

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <Empty icon={SearchX} title="No opt-outs match" actions={<Button onClick={onClear}>Clear filters</Button>}>
      Check the number, or clear the filters.
    </Empty>
  )
}

function filtersOf({ scope, source }: SettingsView, setView: (patch: Partial<SettingsView>) => void): Filter[] {
  return [
    {
      id: 'scope',
      label: 'Opted out of',
      kind: 'choice',
      options: OptOutScope.options.map((value) => ({ value, label: scopeLabel(value) })),
      value: scope === 'any' ? undefined : scope,
      // The filter contains only scopes.
      onChange: (chosen) => setView({ scope: (chosen ?? 'any') as SettingsView['scope'], page: 1 }),
    },
    {
      id: 'source',
      label: 'How',
      kind: 'choice',
      options: OptOutSource.options.map((value) => ({ value, label: sourceLabels[value] })),
      value: source === 'any' ? undefined : source,
      // The filter contains only sources.
      onChange: (chosen) => setView({ source: (chosen ?? 'any') as SettingsView['source'], page: 1 }),
    },
  ]
}

type OptOutQuery = { scope?: OptOutScope; source?: OptOutSource; number?: string }

function filterOf({ number, scope, source }: SettingsView): OptOutQuery {
  return {
    ...(scope === 'any' ? {} : { scope }),
    ...(source === 'any' ? {} : { source }),
    ...(/\d/.test(number) ? { number: number.slice(0, 20) } : {}),
  }
}

async function saveCsv(query: OptOutQuery) {
  try {
    await download(await call('optOuts.csv', { query }), 'opt-outs.csv')
  } catch (error) {
    toast.error(error instanceof CallError ? error.message : 'Failed to download report')
  }
}

function OptOutCard(row: OptOut) {
  return (
    <div className="flex min-w-0 flex-col">
      <b className="font-mono text-dense font-medium tracking-normal">{formatPhone(row.phoneNumber)}</b>
      <span>{scopeLabel(row.scope)}</span>
      <small className="text-caption text-muted-foreground">
        {[describeSource(row), row.campaign?.name, formatDateTime(row.at)].filter(Boolean).join(' · ')}
      </small>
    </div>
  )
}
