import type { Campaign } from '@carillon/contract/campaign-records'
import type { ProgressUpdate } from '@carillon/contract/realtime'
import { useEffect, useState } from 'react'
import { onProgress } from '../../lib/socket.ts'

/** The latest word of the socket on each campaign, by its id. */
export function useLiveProgress(): ReadonlyMap<string, ProgressUpdate> {
  const [updates, setUpdates] = useState<ReadonlyMap<string, ProgressUpdate>>(() => new Map())
  useEffect(() => onProgress((update) => setUpdates((known) => new Map(known).set(update.campaignId, update))), [])
  return updates
}

/** A campaign as it stands now: what was loaded, with what the socket has said since. */
export function withProgress<Row extends Campaign>(campaign: Row, update: ProgressUpdate | undefined): Row {
  if (!update || update.phase !== 'sending') return campaign
  return { ...campaign, status: update.status, stats: update.stats, percent: update.percent }
}
