import type { RcsTemplate } from '@carillon/contract/channels/rcs/rcs-templates'
import { countOf } from '../../../lib/format.ts'
import { useApiWrite } from '../../../lib/use-api.ts'
import { CampaignsAffected } from '../../../ui/campaigns-affected.tsx'
import { DeleteDialog } from '../../../ui/delete-dialog.tsx'
import { toast } from '../../../ui/toast.tsx'
import { rcsTemplateKept } from './texts.ts'

/** Campaigns contain the content that they were started with, so a deleted template does not stop them. */
export function RcsDeleteDialog({ template, onClose }: { template: RcsTemplate; onClose: () => void }) {
  const { _id, name, status, isReviewed, usedCount } = template
  const remove = useApiWrite('rcsTemplates.delete', {
    refreshes: ['rcsTemplates.list'],
    onSuccess() {
      toast.success(`${name} is deleted`)
      onClose()
    },
  })
  const isDraft = status === 'DRAFT'
  const place = isReviewed && !isDraft ? ' here and at the operator' : ''
  const used = usedCount > 0 ? ` It was used in ${countOf(usedCount, 'campaign')}.` : ''
  return (
    <DeleteDialog
      noun="template"
      name={name}
      description={isDraft ? 'The draft is deleted.' : `It is deleted${place} and cannot be sent again.${used}`}
      remove={remove}
      onConfirm={() => remove.mutate({ path: { id: _id } })}
      onClose={onClose}
    >
      {isDraft ? null : <CampaignsAffected needed={{ need: 'template', ids: _id }} effects={rcsTemplateKept} />}
    </DeleteDialog>
  )
}
