import type { SmsTemplate } from '@carillon/contract/templates'
import { neededStill } from '../../lib/switch-off-words.ts'
import { useApiWrite } from '../../lib/use-api.ts'
import { CampaignsAffected } from '../../ui/campaigns-affected.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.tsx'

/** An SMS template goes from lists and choices; the DLT portal keeps its own. */
export function DeleteTemplateDialog({ template, onClose }: { template: SmsTemplate; onClose: () => void }) {
  const { _id, name } = template
  const remove = useApiWrite('smsTemplates.delete', {
    refreshes: ['smsTemplates.list', 'campaigns.list', 'smsCampaigns.list'],
    onSuccess: () => {
      toast.success(`${name} is deleted`)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Delete ${name}?`}
      description="Drafts that use it must choose another. Past campaigns keep its name and text. Its registration on the DLT portal is not affected."
      action="Delete template"
      cancel="Keep it"
      destructive
      loading={remove.isPending}
      onConfirm={() => remove.mutate({ path: { id: _id } })}
    >
      <div className="flex flex-col gap-3">
        <CampaignsAffected needed={{ need: 'template', ids: _id }} effects={neededStill} />
        {remove.error ? <Notice tone="bad">{remove.error.message}</Notice> : null}
      </div>
    </ConfirmDialog>
  )
}
