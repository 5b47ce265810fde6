import type { AbReport, VariantResult } from '@carillon/contract/ab-tests'
import type { CampaignDetail } from '@carillon/contract/campaigns'
import { countOf } from '../../../lib/format.ts'
import { useApiWrite } from '../../../lib/use-api.ts'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toast.tsx'
import { showingCampaigns } from '../showing-campaigns.ts'
import { letterOfVariant } from '@carillon/contract/variant-positions'

type SendVariantDialogProps = {
  campaign: Pick<CampaignDetail, '_id' | 'campaignName'>
  report: Pick<AbReport, 'rest' | 'phase'>
  chosen: Pick<VariantResult, 'variant' | 'templateName'>
  onClose: () => void
}

/** Sends one of the messages to the recipients who are not in the test. */
export function SendVariantDialog({ campaign, report, chosen, onClose }: SendVariantDialogProps) {
  const letter = letterOfVariant(chosen.variant)
  const people = countOf(report.rest, 'person', 'people')
  const choose = useApiWrite('campaigns.chooseWinner', {
    refreshes: showingCampaigns,
    onSuccess: () => toast.success(`Sending message ${letter} to ${people}`),
    onError: ({ message }) => toast.error(message),
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Send message ${letter} to the other ${people}?`}
      description={`${campaign.campaignName} sends ${chosen.templateName} to the recipients who wait for the winner.${report.phase === 'testing' ? ' The test ends now.' : ''} This cannot be undone.`}
      action={`Send to ${people}`}
      loading={choose.isPending}
      onConfirm={() =>
        choose.mutate({ path: { id: campaign._id }, body: { variant: chosen.variant } }, { onSettled: onClose })
      }
    />
  )
}
