import type { ProgressUpdate } from '@carillon/contract/realtime'
import { useEffect, useState } from 'react'
import { subscribe } from './socket.ts'

/** The newest progress of each campaign that is validated or sent, by campaign; of one when an id is given. */
export function useProgress(campaignId?: string): ReadonlyMap<string, ProgressUpdate> {
  const [updates, setUpdates] = useState<ReadonlyMap<string, ProgressUpdate>>(new Map())
  useEffect(
    () =>
      subscribe('progressUpdate', (update) => {
        if (campaignId !== undefined && update.campaignId !== campaignId) return
        setUpdates((known) => new Map(known).set(update.campaignId, update))
      }),
    [campaignId],
  )
  return updates
}
