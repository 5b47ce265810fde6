import { languageLabel } from '../template-labels.tsx'
import { countOf } from '../../../lib/format.ts'
import { templateGone } from '../../../lib/campaign-effects.ts'
import { useApiWrite } from '../../../lib/use-api.ts'
import { CampaignsAffected } from '../../../ui/campaigns-affected.tsx'
import { DeleteDialog } from '../../../ui/delete-dialog.tsx'
import { toast } from '../../../ui/toast.tsx'
import { FamiliesAffected } from '../../parts/templates/families-affected.tsx'
import type { TemplateFamily } from './families.ts'

/** Meta deletes a name in all its languages, and reserves the name for thirty days. */
export function WhatsappDeleteDialog({ family, onClose }: { family: TemplateFamily; onClose: () => void }) {
  const { name, waba_id, variants } = family
  const remove = useApiWrite('waTemplates.delete', {
    refreshes: ['waTemplates.list', 'families.list'],
    onSuccess: ({ campaigns }) => {
      const names = campaigns.map((campaign) => campaign.name).join(', ')
      toast.success(
        `${name} is deleted`,
        names ? { description: `Campaigns that would have sent it: ${names}` } : undefined,
      )
      onClose()
    },
  })
  const used = variants.reduce((sum, { usedCount }) => sum + usedCount, 0)
  const languages = variants.map(({ language }) => languageLabel(language)).join(', ')
  const isKnown = variants.some(({ status }) => status !== 'DRAFT')
  return (
    <DeleteDialog
      noun="template"
      name={name}
      description={
        isKnown
          ? `It is deleted in every language (${languages}), here and at Meta. The name cannot be used again for 30 days.${used > 0 ? ` It was used in ${countOf(used, 'campaign')}.` : ''}`
          : `The draft is deleted in every language (${languages}).`
      }
      remove={remove}
      onConfirm={() => remove.mutate({ query: { templateName: name }, body: { waba_id } })}
      onClose={onClose}
    >
      <FamiliesAffected templateIds={variants.map(({ _id }) => _id)} />
      {isKnown ? (
        <CampaignsAffected
          needed={{ need: 'template', ids: variants.map(({ _id }) => _id).join(',') }}
          effects={templateGone}
        />
      ) : null}
    </DeleteDialog>
  )
}
