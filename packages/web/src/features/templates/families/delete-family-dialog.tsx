import type { TemplateFamily } from '@carillon/contract/template-families'
import { useApiWrite } from '../../../lib/use-api.ts'
import { DeleteDialog } from '../../../ui/delete-dialog.tsx'
import { toast } from '../../../ui/toast.tsx'

/** Confirms the deletion of a family; its templates are unaffected. */
export function DeleteFamilyDialog({ family, onClose }: { family: TemplateFamily; onClose: () => void }) {
  const { _id, name } = family
  const remove = useApiWrite('families.delete', {
    refreshes: ['families.list'],
    onSuccess: () => {
      toast.success(`${name} is deleted`)
      onClose()
    },
  })
  return (
    <DeleteDialog
      noun="family"
      name={name}
      description="Its templates stay, and so do the campaigns that use them."
      cancel="Keep it"
      remove={remove}
      onConfirm={() => remove.mutate({ path: { id: _id } })}
      onClose={onClose}
    />
  )
}
