import type { Campaign } from '@carillon/contract/campaign-records'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { discardLabels, useCampaignWrites } from '../list/campaign-actions.ts'

/** Names the campaign and the effect of discarding it. */
export function DiscardDialog({ campaign, onClose }: { campaign: Campaign | undefined; onClose: () => void }) {
  const { discard } = useCampaignWrites()
  if (!campaign) return null
  const words = discardLabels(campaign)
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={words.title}
      description={words.effect}
      action={words.action}
      cancel="Keep it"
      destructive
      loading={discard.isPending}
      onConfirm={() => discard.mutate({ path: { id: campaign._id } }, { onSettled: onClose })}
    />
  )
}
