import type { Campaign } from '@carillon/contract/campaign-records'
import { useQueryClient } from '@tanstack/react-query'
import { wizardOf } from '../../../channels/campaign-wizards.ts'
import { formatScheduleDay } from '../../../lib/format.ts'
import { wizardLink } from '../../../lib/links.ts'
import { writeView } from '../../../lib/url-state.ts'
import { refresh, useApiWrite } from '../../../lib/use-api.ts'
import { useGo } from '../../../ui/area-link.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toast.tsx'
import { showingCampaigns } from '../showing-campaigns.ts'

type EditScheduledDialogProps = { campaign: Campaign | undefined; onClose: () => void }

/** Confirms that a scheduled campaign returns to draft, then opens the wizard. */
export function EditScheduledDialog({ campaign, onClose }: EditScheduledDialogProps) {
  const go = useGo()
  const queries = useQueryClient()
  const reopen = useApiWrite('campaigns.reopen', {
    refreshes: showingCampaigns,
    onSuccess: ({ _id, channel }) => {
      // Invalidates the draft that was cached before it was scheduled.
      queries.removeQueries({ queryKey: ['drafts.get', { path: { id: _id } }] })
      onClose()
      go(wizardOf(channel), writeView(wizardLink, { draftId: _id }))
    },
    onError: (error) => {
      toast.error(error.message)
      void refresh(queries, showingCampaigns)
      onClose()
    },
  })
  if (!campaign) return null
  const at = campaign.startAt ? ` at its time, ${formatScheduleDay(campaign.startAt, campaign.timezone)},` : ''
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Edit ${campaign.campaignName}?`}
      description={`It goes back to draft and the reserved amount returns to the balance. It is not sent${at} unless you schedule it again at the end of the wizard.`}
      action="Unschedule and edit"
      cancel="Keep it scheduled"
      loading={reopen.isPending}
      onConfirm={() => reopen.mutate({ path: { id: campaign._id } })}
    />
  )
}
