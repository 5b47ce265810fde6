import type { Audience, Corrections } from '@carillon/contract/audience'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useApiWrite } from '../../../lib/use-api.ts'

type Entry = Corrections['rows'][number]

export type CorrectionsHandle = ReturnType<typeof useCorrections>

const rowField = /^rows\.(\d+)\./
const noEntries: readonly Entry[] = []
const noRefusals: ReadonlyMap<number, string> = new Map()

/**
 * Replacement numbers for rejected ones. The rows are checked again after each change; the previous result is shown until then,
 * and changes made meanwhile are sent afterwards.
 */
export function useCorrections(audience: Audience | undefined) {
  const queries = useQueryClient()
  const id = audience?._id ?? ''
  const [held, setHeld] = useState<Audience>()
  const [entered, setEntered] = useState(noEntries)
  const [sent, setSent] = useState(noEntries)
  const [refused, setRefused] = useState(noRefusals)
  const [error, setError] = useState<string>()
  const correct = useApiWrite('audience.correct', {
    refreshes: ['audience.rows'],
    onSuccess(next, { body }) {
      const rows = body?.rows ?? noEntries
      setHeld(audience)
      setSent(rows)
      setEntered((before) => before.filter((entry) => !rows.includes(entry)))
      setError(undefined)
      queries.setQueryData(['audience.get', { path: { id: next._id } }], next)
    },
    onError(problem, { body }) {
      const messages = messagesByRow(problem.details, body?.rows ?? noEntries)
      setError(messages.size === 0 ? problem.message : undefined)
      setRefused((before) => new Map([...before, ...messages]))
      // The other numbers of the same call are sent again without the rejected ones.
      setEntered((before) => (messages.size === 0 ? noEntries : before.filter(({ row }) => !messages.has(row))))
    },
  })

  const [shownFor, setShownFor] = useState(id)
  if (shownFor !== id) {
    setShownFor(id)
    setEntered(noEntries)
    setRefused(noRefusals)
    setError(undefined)
  }

  const isChecking = audience?.status === 'reading' || audience?.status === 'checking'
  const isBusy = correct.isPending || isChecking
  const { mutate } = correct
  useEffect(() => {
    if (!isBusy && entered.length > 0) mutate({ path: { id }, body: { rows: [...entered] } })
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a new `mutate` is no reason to send again
  }, [isBusy, entered, id])

  return {
    /** What to show: the previous result while rows are checked with the corrections. */
    shown: held?._id === id && isChecking ? held : audience,
    isBusy,
    /** Rows checked so far. */
    processed: isChecking ? audience.processed : 0,
    error,
    refused,
    isPending: (row: number) => [...(isBusy ? sent : noEntries), ...entered].some((entry) => entry.row === row),
    apply(entry: Entry) {
      setRefused((before) => new Map([...before].filter(([row]) => row !== entry.row)))
      setEntered((before) => [...before.filter(({ row }) => row !== entry.row), entry])
    },
    setAutomatic: (automatic: boolean) => mutate({ path: { id }, body: { automatic } }),
    /** Another file is checked: the previous result does not apply to it. */
    release: () => setHeld(undefined),
  }
}

type Details = readonly { field: string; message: string }[] | undefined

function messagesByRow(details: Details = [], rows: readonly Entry[]): Map<number, string> {
  return new Map(
    details.flatMap(({ field, message }) => {
      const entry = rows[Number(rowField.exec(field)?.[1] ?? -1)]
      return entry ? [[entry.row, message] as const] : []
    }),
  )
}
