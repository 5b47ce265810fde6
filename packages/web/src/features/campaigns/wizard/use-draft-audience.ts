import type { Channel } from '@carillon/contract/channels'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { refresh } from '../../../lib/use-api.ts'
import { useAudience } from './use-audience.ts'
import type { DraftHandle } from './use-draft.ts'

/**
 * Reads that are made of the rows: another column or country makes other people of the same file, and what was counted
 * of them before is not true any more.
 */
const madeOfRows = ['drafts.estimate', 'drafts.preview', 'audience.recipient'] as const

/** The people of a draft, and which of them the phone shows. */
export function useDraftAudience(handle: DraftHandle, channel: Channel) {
  const queries = useQueryClient()
  const [seq, setSeq] = useState(0)
  const audienceHandle = useAudience({
    audienceId: handle.draft.audienceId,
    channel,
    onChosen({ _id }) {
      setSeq(0)
      // Other people have not agreed because these did.
      handle.changeNow({ audienceId: _id, hasConsent: false })
    },
  })
  const { audience } = audienceHandle
  const isReady = audience?.status === 'ready'
  useEffect(() => {
    if (isReady) void refresh(queries, madeOfRows)
  }, [queries, isReady])
  return {
    audience,
    audienceHandle,
    columns: audience?.columns ?? [],
    isReady,
    /** The file could not be read: another one has to come. */
    isUnreadable: audience?.status === 'failed',
    seq,
    setSeq,
  }
}
