import type { Campaign } from '@carillon/contract/campaign-records'
import { CalendarClock, Pause, Pencil, Play } from 'lucide-react'
import { wizardOf } from '../../../channels/campaign-wizards.ts'
import { wizardLink } from '../../../lib/links.ts'
import { writeView } from '../../../lib/url-state.ts'
import { AreaLink } from '../../../ui/area-link.tsx'
import { Button } from '../../../ui/button.tsx'
import type { Peek } from '../../../ui/data-screen/peek-sheet.tsx'
import { RowMenu } from '../../../ui/data-screen/row-menu.tsx'
import type { MenuItem } from '../../../ui/menu.tsx'
import { reportsView } from '../numbers/reports-view.ts'
import { possibleActions, useCampaignWrites } from './campaign-actions.ts'
import { CampaignPeek } from './campaign-peek.tsx'
import { CampaignTitle, NextCampaignHint } from './campaign-title.tsx'
import type { CampaignActions } from './use-campaign-actions.tsx'

type Ask = CampaignActions['ask']
type PeekOptions = { menu: readonly MenuItem[]; ask: Ask }

/** The sheet of a campaign: channel, name and status at the top, actions at the bottom. */
export function peekOfCampaign(campaign: Campaign, { menu, ask }: PeekOptions): Peek {
  return {
    title: <CampaignTitle campaign={campaign} />,
    name: campaign.campaignName,
    actions: <RowMenu name={campaign.campaignName} items={menu} />,
    body: <CampaignPeek campaign={campaign} />,
    footer: <PeekFoot campaign={campaign} ask={ask} />,
  }
}

function PeekFoot({ campaign, ask }: { campaign: Campaign; ask: Ask }) {
  const writes = useCampaignWrites()
  const can = possibleActions(campaign)
  const input = { path: { id: campaign._id } }
  return (
    <>
      {can.pause ? (
        <Button size="sm" loading={writes.pause.isPending} onClick={() => writes.pause.mutate(input)}>
          <Pause aria-hidden /> Pause
        </Button>
      ) : null}
      {can.resume ? (
        <Button size="sm" loading={writes.resume.isPending} onClick={() => writes.resume.mutate(input)}>
          <Play aria-hidden /> Resume
        </Button>
      ) : null}
      {can.takeBack ? (
        <Button size="sm" onClick={() => ask('edit', campaign)}>
          <Pencil aria-hidden /> Edit…
        </Button>
      ) : null}
      {can.reschedule ? (
        <Button size="sm" onClick={() => ask('reschedule', campaign)}>
          <CalendarClock aria-hidden /> Reschedule…
        </Button>
      ) : null}
      {can.edit && can.start ? (
        <Button size="sm" asChild>
          <AreaLink to={wizardOf(campaign.channel)} search={writeView(wizardLink, { draftId: campaign._id })}>
            <Pencil aria-hidden /> Edit
          </AreaLink>
        </Button>
      ) : null}
      <NextCampaignHint />
      <span className="ml-auto">
        <Primary campaign={campaign} ask={ask} />
      </span>
    </>
  )
}

/** The most likely next action. */
function Primary({ campaign, ask }: { campaign: Campaign; ask: Ask }) {
  const can = possibleActions(campaign)
  if (can.download) {
    return (
      <Button size="sm" variant="primary" asChild>
        <AreaLink to="campaigns/individual-reports" search={writeView(reportsView, { campaignId: campaign._id })}>
          Open report
        </AreaLink>
      </Button>
    )
  }
  if (can.start) {
    return (
      <Button size="sm" variant="primary" onClick={() => ask('start', campaign)}>
        <Play aria-hidden /> Start…
      </Button>
    )
  }
  if (!can.edit) return null
  return (
    <Button size="sm" variant="primary" asChild>
      <AreaLink to={wizardOf(campaign.channel)} search={writeView(wizardLink, { draftId: campaign._id })}>
        <Pencil aria-hidden /> Continue editing
      </AreaLink>
    </Button>
  )
}
