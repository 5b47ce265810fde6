import type { RcsBot } from '@carillon/contract/channels/rcs/rcs-bots'
import { Bot, Plus, Search } from 'lucide-react'
import { useState } from 'react'
import { countOf } from '../../../lib/format.ts'
import { useApi } from '../../../lib/use-api.ts'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Input } from '../../../ui/input.tsx'
import { Region } from '../../../ui/region.tsx'
import { Select } from '../../../ui/select.tsx'
import { AdminActions, Callbacks } from './admin-actions.tsx'
import { BotRow } from './bot-row.tsx'
import { BotSheet } from './bot-sheet.tsx'
import { CreateSheet } from './create-sheet.tsx'
import { EditSheet } from './edit-sheet.tsx'

const states = [
  { value: 'all', label: 'All' },
  { value: 'requested', label: 'Requests' },
  { value: 'awaiting_launch', label: 'Awaiting launch' },
  { value: 'created', label: 'Bots' },
  { value: 'rejected', label: 'Rejected' },
] as const

type Open = { kind: 'bot' | 'edit' | 'create'; bot?: RcsBot } | undefined

/** Bots and requests of all organisations. */
export function AllBots() {
  const [state, setState] = useState<(typeof states)[number]['value']>('all')
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const [open, setOpen] = useState<Open>()
  const query = { state: state === 'all' ? ('' as const) : state, page, ...(search ? { search } : {}) }
  const bots = useApi('bots.all', { query }, { keepPrevious: true })
  const shown = bots.data?.bots.find(({ _id }) => _id === open?.bot?._id) ?? open?.bot
  return (
    <section aria-label="RCS bots" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <h2 className="flex-1 text-section font-semibold">RCS bots</h2>
        <Button size="sm" onClick={() => setOpen({ kind: 'create' })}>
          <Plus aria-hidden /> Create bot
        </Button>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Input
          size="sm"
          className="max-w-60 flex-1"
          aria-label="Search bots"
          placeholder="Search bots"
          leading={<Search aria-hidden />}
          value={search}
          onChange={({ target }) => {
            setSearch(target.value)
            setPage(1)
          }}
        />
        <Select
          size="sm"
          aria-label="Show"
          options={states}
          value={state}
          onValueChange={(value) => {
            setState(value)
            setPage(1)
          }}
        />
        {bots.data ? (
          <p className="ml-auto text-dense text-muted-foreground">
            {countOf(bots.data.requested, 'request')} to answer · {bots.data.awaitingLaunch} awaiting launch
          </p>
        ) : null}
      </div>
      <Region read={bots} label="the bots" lines={4}>
        {({ bots: list, totalPages, currentPage }) => (
          <>
            {list.length === 0 ? (
              <NoBots
                isFiltered={search !== '' || state !== 'all'}
                onClear={() => {
                  setSearch('')
                  setState('all')
                  setPage(1)
                }}
              />
            ) : (
              <ul className="@container border-t border-border">
                {list.map((bot) => (
                  <BotRow key={bot._id} withOrganization bot={bot} onOpen={() => setOpen({ kind: 'bot', bot })} />
                ))}
              </ul>
            )}
            <Pager page={currentPage} of={totalPages} onPage={setPage} />
          </>
        )}
      </Region>
      <OpenSheet open={open && { ...open, ...(shown ? { bot: shown } : {}) }} setOpen={setOpen} />
    </section>
  )
}

function NoBots({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (isFiltered)
    return <Empty icon={Bot} title="No bots match" actions={<Button onClick={onClear}>Clear filters</Button>} />
  return (
    <Empty icon={Bot} title="Create the first bot">
      Bots that customers request are listed here as well.
    </Empty>
  )
}

type PagerProps = { page: number; of: number; onPage: (page: number) => void }

function Pager({ page, of, onPage }: PagerProps) {
  if (of <= 1) return null
  return (
    <div className="flex items-center gap-2 text-dense">
      <Button size="sm" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        Previous
      </Button>
      Page {page} of {of}
      <Button size="sm" disabled={page >= of} onClick={() => onPage(page + 1)}>
        Next
      </Button>
    </div>
  )
}

function OpenSheet({ open, setOpen }: { open: Open; setOpen: (open: Open) => void }) {
  const close = () => setOpen(undefined)
  if (open?.kind === 'create') return <CreateSheet request={open.bot} onClose={close} />
  if (!open?.bot) return null
  const { kind, bot } = open
  if (kind === 'edit') return <EditSheet bot={bot} onClose={close} />
  const actions = (
    <AdminActions
      bot={bot}
      onCreate={() => setOpen({ kind: 'create', bot })}
      onEdit={() => setOpen({ kind: 'edit', bot })}
    />
  )
  return <BotSheet bot={bot} actions={actions} more={<Callbacks bot={bot} />} onClose={close} />
}
