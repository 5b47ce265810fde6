import type { KeyConfig } from '@carillon/contract/key-config-records'
import { countOf } from '../../lib/format.ts'
import { useApiWrite } from '../../lib/use-api.ts'
import { DeleteDialog } from '../../ui/delete-dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.tsx'
import { keyReads } from './key-reads.ts'

type DeleteConfigDialogProps = { config: KeyConfig; onClose: () => void; onDeleted: () => void }

/** Confirms the deletion of a config that no key uses. */
export function DeleteConfigDialog({ config, onClose, onDeleted }: DeleteConfigDialogProps) {
  const { id, payload, keys } = config
  const { name } = payload.binding
  const remove = useApiWrite('keyConfigs.delete', {
    refreshes: keyReads,
    onSuccess() {
      onClose()
      onDeleted()
      toast.success(`${name} was deleted`)
    },
  })
  return (
    <DeleteDialog
      noun="config"
      name={name}
      description="This cannot be undone."
      remove={remove}
      disabled={keys > 0}
      onConfirm={() => remove.mutate({ path: { id } })}
      onClose={onClose}
    >
      {keys > 0 ? (
        <Notice tone="care">
          {countOf(keys, 'key uses', 'keys use')} this config. Give {keys === 1 ? 'it' : 'them'} another one first.
        </Notice>
      ) : null}
    </DeleteDialog>
  )
}
