import type { Audience } from '@carillon/contract/audience'
import { useEffect, useRef } from 'react'
import type { DraftHandle } from './use-draft.ts'

type MatchedColumns<Draft extends object> = {
  handle: DraftHandle<Draft>
  audience: Audience | undefined
  /** The audience whose columns the saved draft already names. */
  savedFor: string | null | undefined
  /** The draft's sources for these columns; undefined while there is no template to match. */
  match: ((columns: readonly string[]) => Partial<Draft>) | undefined
}

/** Once the columns of a file are known, matches each variable to the column with its name. */
export function useMatchedColumns<Draft extends object>(props: MatchedColumns<Draft>) {
  const { handle, audience, savedFor, match } = props
  const matched = useRef(savedFor)
  useEffect(() => {
    if (!match || !audience || audience.columns.length === 0 || matched.current === audience._id) return
    matched.current = audience._id
    const found = match(audience.columns)
    const { draft } = handle
    if (JSON.stringify({ ...draft, ...found }) !== JSON.stringify(draft)) handle.change(found)
  })
}
