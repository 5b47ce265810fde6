import type { Audience } from '@carillon/contract/audience'
import type { CampaignDraft } from '@carillon/contract/draft-legs'
import { useEffect, useRef } from 'react'
import type { DraftHandle } from './use-draft.ts'

type MatchedColumns = {
  handle: DraftHandle
  audience: Audience | undefined
  /** The audience that the saved draft's columns refer to. */
  savedFor: string | null | undefined
  /** The messages with sources for these columns; undefined without a template. */
  match: ((columns: readonly string[]) => Pick<CampaignDraft, 'legs' | 'abTest'>) | undefined
}

/** Once the columns of a file are known, matches each variable to the column with its name. */
export function useMatchedColumns({ handle, audience, savedFor, match }: MatchedColumns) {
  const matched = useRef(savedFor)
  useEffect(() => {
    if (!match || !audience || audience.columns.length === 0 || matched.current === audience._id) return
    matched.current = audience._id
    const found = match(audience.columns)
    const { legs, abTest } = handle.draft
    if (JSON.stringify(found) !== JSON.stringify({ legs, abTest })) handle.change(found)
  })
}
