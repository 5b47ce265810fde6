import type { Campaign } from '@carillon/contract/campaign-records'
import { Send } from 'lucide-react'
import { wizardOf } from '../../../channels/campaign-wizards.ts'
import { mayCall, type CallInput } from '../../../lib/call.ts'
import { wizardLink } from '../../../lib/links.ts'
import { writeView } from '../../../lib/url-state.ts'
import { useApiWrite } from '../../../lib/use-api.ts'
import { useGo } from '../../../ui/area-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.tsx'
import { hasEnded } from '../list/campaign-actions.ts'
import { showingCampaigns } from '../showing-campaigns.ts'

type RetargetButtonProps = {
  campaign: Pick<Campaign, '_id' | 'status'>
  /** The recipients to send to. */
  filter: NonNullable<CallInput<'campaigns.retarget'>['body']>
  /** What the list is searched for, which a draft cannot be. */
  number: string
}

/** Opens a new draft like the campaign for these recipients. Absent until the campaign has ended, and for all of its recipients. */
export function RetargetButton({ campaign, filter, number }: RetargetButtonProps) {
  const go = useGo()
  const retarget = useApiWrite('campaigns.retarget', {
    refreshes: showingCampaigns,
    onSuccess: ({ _id, channel }) => go(wizardOf(channel), writeView(wizardLink, { draftId: _id })),
    onError: ({ message }) => toast.error(message),
  })
  const isChosen = Object.keys(filter).length > 0 && number === ''
  if (!isChosen || !mayCall('campaigns.retarget') || !hasEnded(campaign)) return null
  return (
    <Button
      size="sm"
      loading={retarget.isPending}
      onClick={() => retarget.mutate({ path: { id: campaign._id }, body: filter })}
    >
      <Send aria-hidden /> New campaign to these
    </Button>
  )
}
