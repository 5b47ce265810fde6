import type { EndpointName } from '@carillon/contract'
import type { Channel } from '@carillon/contract/channels'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { refresh } from '../../../lib/use-api.ts'
import { useAudience } from './use-audience.ts'
import type { CommonDraft, DraftHandle } from './use-draft.ts'

/**
 * The people of a draft, and which of them the phone shows. `counts` are the reads that are made of the rows: another
 * column or country makes other people of the same file, and what was counted of them before is not true any more.
 */
export function useDraftAudience(
  handle: DraftHandle<CommonDraft>,
  { channel, counts }: { channel: Channel; counts: readonly EndpointName[] },
) {
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
    if (isReady) void refresh(queries, counts)
  }, [queries, isReady, counts])
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
