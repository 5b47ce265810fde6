import type { SmsTemplate } from '@carillon/contract/channels/sms/sms-templates'
import { neededStill } from '../../../lib/campaign-effects.ts'
import { useApiWrite } from '../../../lib/use-api.ts'
import { CampaignsAffected, useIsNeeded } from '../../../ui/campaigns-affected.tsx'
import { DeleteDialog } from '../../../ui/delete-dialog.tsx'
import { toast } from '../../../ui/toast.tsx'
import { FamiliesAffected } from '../../parts/templates/families-affected.tsx'

/** Confirms the deletion of an SMS template; its DLT registration is unaffected. */
export function DeleteTemplateDialog({ template, onClose }: { template: SmsTemplate; onClose: () => void }) {
  const { _id, name } = template
  const remove = useApiWrite('smsTemplates.delete', {
    refreshes: ['smsTemplates.list', 'families.list', 'campaigns.list', 'smsCampaigns.list'],
    onSuccess: () => {
      toast.success(`${name} is deleted`)
      onClose()
    },
  })
  const needed = { need: 'template', ids: _id } as const
  const isNeeded = useIsNeeded(needed)
  return (
    <DeleteDialog
      noun="template"
      name={name}
      description="Drafts that use it must choose another. Past campaigns keep its name and text. Its registration on the DLT portal is not affected."
      cancel="Keep it"
      remove={remove}
      disabled={isNeeded}
      onConfirm={() => remove.mutate({ path: { id: _id } })}
      onClose={onClose}
    >
      <FamiliesAffected templateIds={[_id]} />
      <CampaignsAffected needed={needed} effects={neededStill} />
    </DeleteDialog>
  )
}
