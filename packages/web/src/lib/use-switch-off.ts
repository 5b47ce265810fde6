import type { CampaignsUsing, CampaignNeed } from '@carillon/contract/campaign-changes'
import type { Channel } from '@carillon/contract/channels'
import { useState } from 'react'
import { call, mayCall } from './call.ts'

/** The resource to switch off, as campaigns refer to it. */
export type Needed = { need: CampaignNeed; ids?: string; channel?: Channel }

/** Campaigns known to need it; undefined if that could not be determined. */
type PendingQuestion = { found: CampaignsUsing | undefined; proceed: () => void }

/** Finds campaigns that need a resource about to be switched off; asks for confirmation only if there are any. */
export function useSwitchOff() {
  const [asked, setAsked] = useState<PendingQuestion>()
  const [isChecking, setChecking] = useState(false)

  async function switchOff(needed: Needed, proceed: () => void) {
    if (!mayCall('campaigns.using')) return proceed()
    setChecking(true)
    try {
      const found = await call('campaigns.using', { query: needed })
      if (found.total === 0) proceed()
      else setAsked({ found, proceed })
    } catch {
      setAsked({ found: undefined, proceed })
    } finally {
      setChecking(false)
    }
  }
  return {
    switchOff: (...of: Parameters<typeof switchOff>) => void switchOff(...of),
    isChecking,
    asked,
    close: () => setAsked(undefined),
  }
}
