import type { EndpointName } from '@carillon/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { formatCount } from '../../lib/format.ts'
import { refresh, useWriteOnce } from '../../lib/use-api.ts'
import { Button } from '../button.tsx'
import { lazyDialog } from '../lazy-dialog.tsx'
import { toast } from '../toast.tsx'
import type { BulkLabels, Exception } from './bulk-labels.ts'

const BulkWriteDialog = lazyDialog(() => import('./bulk-write-dialog.tsx').then((code) => code.BulkWriteDialog))

type BulkWriteProps<Row> = {
  rows: readonly Row[]
  nameOf: (row: Row) => string
  words: BulkLabels
  /** Why a row is excluded; undefined if it is not. */
  refusal: (row: Row) => string | undefined
  /** Writes one row, with its own idempotency key. */
  write: (row: Row, options: { key: string }) => Promise<unknown>
  refreshes: readonly EndpointName[]
  /** Called when all possible rows are done. */
  onDone: () => void
  /** Hides the button if no selected row qualifies. */
  onlyIfPossible?: boolean
  /** Shown in the dialog, above the excluded rows. */
  children?: ReactNode
}

/** A button for the selected rows: confirms the count, then writes row by row and reports failures. */
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
      // Rows are refreshed only after the failures were read.
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
