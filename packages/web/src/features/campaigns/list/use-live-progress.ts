import type { Campaign } from '@carillon/contract/campaign-records'
import type { ProgressUpdate } from '@carillon/contract/realtime'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { onProgress } from '../../../lib/socket.ts'
import { refresh } from '../../../lib/use-api.ts'
import { showingCampaigns } from '../showing-campaigns.ts'

/** The latest socket update of each campaign, by id. */
export function useLiveProgress(): ReadonlyMap<string, ProgressUpdate> {
  const queries = useQueryClient()
  const [updates, setUpdates] = useState<ReadonlyMap<string, ProgressUpdate>>(() => new Map())
  useEffect(
    () =>
      onProgress((update) => {
        setUpdates((known) => new Map(known).set(update.campaignId, update))
        // The unused part of the hold has been released.
        if (update.status === 'completed') void refresh(queries, showingCampaigns)
      }),
    [queries],
  )
  return updates
}

/** A campaign with its latest socket update applied. */
export function withProgress<Row extends Campaign>(campaign: Row, update: ProgressUpdate | undefined): Row {
  if (!update || update.phase !== 'sending') return campaign
  return { ...campaign, status: update.status, stats: update.stats, percent: update.percent }
}
