import { defaultChannels } from '@carillon/contract/constants'
import { channels } from '../../channels/index.ts'
import { Page } from '../../ui/page.tsx'
import { BalanceCard } from './balance-card.tsx'
import { FailedConnections } from './failed-connections.tsx'
import { FirstSteps } from './first-steps.tsx'
import { LiveNow } from './live-now.tsx'
import { NewCampaign } from './new-campaign.tsx'
import { NextSteps } from './next-steps.tsx'
import { RecentCampaigns } from './recent-campaigns.tsx'

/** Overview for users: next steps, running campaigns, and templates to reuse. */
export function UserOverview() {
  const UseAgain = channels[defaultChannels.campaigns].templateReads?.UseAgain
  return (
    <Page title="Overview" actions={<NewCampaign />}>
      <div className="flex flex-col gap-4 pb-8 screen-x">
        <FirstSteps />
        <NextSteps />
        <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_352px]">
          <div className="flex min-w-0 flex-col gap-4 max-xl:order-2">
            <RecentCampaigns />
            {UseAgain ? <UseAgain /> : null}
          </div>
          <div className="flex min-w-0 flex-col gap-4">
            <FailedConnections />
            <LiveNow />
            <BalanceCard />
          </div>
        </div>
      </div>
    </Page>
  )
}
