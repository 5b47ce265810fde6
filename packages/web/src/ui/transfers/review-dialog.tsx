import { Check, CircleAlert, Minus, Plus } from 'lucide-react'
import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { countOf, formatMoney } from '../../lib/format.ts'
import { refresh } from '../../lib/use-api.ts'
import { useSingleRun } from '../../lib/use-single-run.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { Spinner } from '../spinner.tsx'
import type { Transfer } from './transfers.ts'

type Fate = { kind: 'running' } | { kind: 'done' } | { kind: 'failed'; message: string }

type ReviewDialogProps = {
  transfers: readonly Transfer[]
  onDone: (ids: readonly string[]) => void
  onClose: () => void
}

/** Lists all transfers for review; they run one after the other, and failed ones can be retried. */
export function ReviewDialog({ transfers, onDone, onClose }: ReviewDialogProps) {
  // The reviewed list stays fixed, although completed transfers leave the grid.
  const [reviewed] = useState(transfers)
  const [fates, setFates] = useState<Readonly<Record<string, Fate>>>({})
  // Each transfer of this review is made once, even if it is retried after a lost response.
  const [review] = useState(() => crypto.randomUUID())
  const queries = useQueryClient()
  const open = reviewed.filter(({ user }) => fates[user._id]?.kind !== 'done')
  const isRunning = Object.values(fates).some(({ kind }) => kind === 'running')
  const hasFailed = Object.values(fates).some(({ kind }) => kind === 'failed')

  const run = useSingleRun(
    open.map(({ user }) => user._id),
    async () => {
      for (const transfer of open) {
        const id = transfer.user._id
        setFates((known) => ({ ...known, [id]: { kind: 'running' } }))
        const fate = await move(transfer, `${review}-${id}`)
        setFates((known) => ({ ...known, [id]: fate }))
        if (fate.kind === 'done') onDone([id])
      }
      await refresh(queries, ['users.list', 'balance.get', 'balance.overview', 'statement.list'])
    },
  )

  return (
    <Dialog
      open
      onOpenChange={(next) => !next && !isRunning && onClose()}
      width="medium"
      title={`Review ${countOf(reviewed.length, 'transfer')}`}
      description="Each transfer is recorded separately and shown on both statements."
      footer={
        <>
          <Button disabled={isRunning} onClick={onClose}>
            {open.length === 0 ? 'Done' : 'Back'}
          </Button>
          {open.length === 0 ? null : (
            <Button variant="primary" loading={isRunning} onClick={run}>
              {hasFailed ? `Try ${open.length} again` : `Move ${countOf(open.length, 'balance')}`}
            </Button>
          )}
        </>
      }
    >
      <ul>
        {reviewed.map((transfer) => (
          <ReviewRow key={transfer.user._id} {...transfer} fate={fates[transfer.user._id]} />
        ))}
      </ul>
    </Dialog>
  )
}

function ReviewRow({ user, change, fate }: Transfer & { fate: Fate | undefined }) {
  const Sign = change > 0 ? Plus : Minus
  return (
    <li className="flex min-h-12 items-center gap-3 border-b border-line py-2 last:border-0">
      <span className="grid size-7 shrink-0 place-items-center rounded-md bg-secondary text-muted-foreground">
        <Sign aria-label={change > 0 ? 'add' : 'deduct'} className="size-4" />
      </span>
      <div className="min-w-0 flex-1">
        <b className="block truncate font-medium">{user.name}</b>
        {fate?.kind === 'failed' ? (
          <small className="block text-caption text-danger-text">{fate.message}</small>
        ) : (
          <small className="block text-caption text-muted-foreground tabular-nums">
            {formatMoney(user.balance ?? 0)} → {formatMoney((user.balance ?? 0) + change)}
          </small>
        )}
      </div>
      <b className="font-medium tabular-nums">{formatMoney(Math.abs(change))}</b>
      <FateMark fate={fate} />
    </li>
  )
}

function FateMark({ fate }: { fate: Fate | undefined }) {
  return (
    <span className="grid size-5 place-items-center">
      {fate?.kind === 'running' ? <Spinner /> : null}
      {fate?.kind === 'done' ? <Check aria-label="done" className="size-4 text-success-text" /> : null}
      {fate?.kind === 'failed' ? <CircleAlert aria-label="failed" className="size-4 text-danger-text" /> : null}
    </span>
  )
}

async function move({ user, change }: Transfer, key: string): Promise<Fate> {
  const body = { userId: user._id, amount: Math.abs(change), note: '' }
  try {
    if (change > 0) await call('balance.add', { body }, { key })
    else await call('balance.deduct', { body }, { key })
    return { kind: 'done' }
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? error.message : 'An unexpected error occurred' }
  }
}
