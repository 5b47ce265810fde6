import type { EndpointName } from '@carillon/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { formatCount } from '../../lib/format.ts'
import { refresh, useWriteOnce } from '../../lib/use-api.ts'
import { Button } from '../button.tsx'
import { lazyDialog } from '../lazy-dialog.tsx'
import { toast } from '../toast.tsx'
import type { BulkWords, Exception } from './bulk-words.ts'

const BulkWriteDialog = lazyDialog(() => import('./bulk-write-dialog.tsx').then((code) => code.BulkWriteDialog))

type BulkWriteProps<Row> = {
  rows: readonly Row[]
  nameOf: (row: Row) => string
  words: BulkWords
  /** Why a row cannot take part; undefined where it can. */
  refusal: (row: Row) => string | undefined
  /** One row's write, with an idempotency key of its own. */
  write: (row: Row, options: { key: string }) => Promise<unknown>
  refreshes: readonly EndpointName[]
  /** Everything that was possible is done. */
  onDone: () => void
  /** Absent: the button stands for rows of any kind. */
  onlyIfPossible?: boolean
  /** In the dialog, above the rows that are left out. */
  children?: ReactNode
}

/** A button for the selected rows: asks first with the count, then writes row by row and says which could not and why. */
export function BulkWrite<Row>(props: BulkWriteProps<Row>) {
  const { rows, nameOf, words, refusal, write, refreshes, onDone, onlyIfPossible, children } = props
  const queries = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const [done, setDone] = useState(0)
  const [refused, setRefused] = useState<readonly Exception[]>()
  const possible = rows.filter((row) => refusal(row) === undefined)
  const leftOut = rows.flatMap((row) => {
    const why = refusal(row)
    return why === undefined ? [] : [{ name: nameOf(row), why }]
  })
  const all = useWriteOnce<readonly Exception[], readonly Row[]>({
    async write(chosen, { key }) {
      const found: Exception[] = []
      for (const [index, row] of chosen.entries()) {
        const why = await write(row, { key: `${key}-${index}` }).then(
          () => undefined,
          (error: unknown) => (error instanceof Error ? error.message : 'An unexpected error occurred'),
        )
        if (why !== undefined) found.push({ name: nameOf(row), why })
        setDone(index + 1)
      }
      return found
    },
    onSuccess(found) {
      // The rows stay as they are until it was read which of them could not.
      if (found.length > 0) return setRefused(found)
      void refresh(queries, refreshes)
      setAsking(false)
      toast.success(`${words.label}: ${formatCount(possible.length)} done`)
      onDone()
    },
  })

  function close() {
    setAsking(false)
    setDone(0)
    if (!refused) return
    void refresh(queries, refreshes)
    onDone()
    setRefused(undefined)
  }

  if (onlyIfPossible && possible.length === 0 && !isAsking) return null

  const Icon = words.icon
  return (
    <>
      <Button variant="ghost" size="sm" onClick={() => setAsking(true)}>
        <Icon aria-hidden /> {words.label}
      </Button>
      {isAsking ? (
        <BulkWriteDialog
          words={words}
          possible={possible.length}
          leftOut={leftOut}
          done={done}
          refused={refused}
          isBusy={all.isPending}
          onConfirm={() => all.mutate(possible)}
          onClose={close}
        >
          {children}
        </BulkWriteDialog>
      ) : null}
    </>
  )
}
