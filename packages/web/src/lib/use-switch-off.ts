import type { CampaignsUsing, CampaignNeed } from '@carillon/contract/campaign-changes'
import type { Channel } from '@carillon/contract/channels'
import { useState } from 'react'
import { call, mayCall } from './call.ts'

/** What is about to be switched off, as the campaigns that need it name it. */
export type Needed = { need: CampaignNeed; ids?: string; channel?: Channel }

/** Campaigns that are known to need it; undefined where that could not be found out. */
type PendingQuestion = { found: CampaignsUsing | undefined; proceed: () => void }

/** Looks for campaigns that need what is about to be switched off; without any, no question is asked. */
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
