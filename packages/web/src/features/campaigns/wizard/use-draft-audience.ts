import type { Channel } from '@carillon/contract/channels'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { refresh } from '../../../lib/use-api.ts'
import { useAudience } from './use-audience.ts'
import type { DraftHandle } from './use-draft.ts'

/**
 * Reads that depend on the rows: another column or country changes the recipients of the same file, so they are invalidated.
 */
const madeOfRows = ['drafts.estimate', 'drafts.recipients', 'drafts.preview', 'audience.recipient'] as const

/** The audience of a draft, and the recipient shown on the phone. */
export function useDraftAudience(handle: DraftHandle, channel: Channel) {
  const queries = useQueryClient()
  const [seq, setSeq] = useState(0)
  const audienceHandle = useAudience({
    audienceId: handle.draft.audienceId,
    channel,
    onChosen({ _id }) {
      setSeq(0)
      // Consent confirmed for one audience does not apply to another.
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
    /** The file could not be read: another one is needed. */
    isUnreadable: audience?.status === 'failed',
    seq,
    setSeq,
  }
}
