import type { Audience } from '@carillon/contract/audience'
import { useEffect, useRef } from 'react'
import type { Legs } from './draft-legs.ts'
import type { DraftHandle } from './use-draft.ts'

type MatchedColumns = {
  handle: DraftHandle
  audience: Audience | undefined
  /** The audience that the saved draft's columns refer to. */
  savedFor: string | null | undefined
  /** The legs with sources for these columns; undefined without a template. */
  match: ((columns: readonly string[]) => Legs) | undefined
}

/** Once the columns of a file are known, matches each variable to the column with its name. */
export function useMatchedColumns({ handle, audience, savedFor, match }: MatchedColumns) {
  const matched = useRef(savedFor)
  useEffect(() => {
    if (!match || !audience || audience.columns.length === 0 || matched.current === audience._id) return
    matched.current = audience._id
    const legs = match(audience.columns)
    if (JSON.stringify(legs) !== JSON.stringify(handle.draft.legs)) handle.change({ legs })
  })
}
