import type { SavedView } from '@carillon/contract/saved-views'
import { useApiWrite } from '../../lib/use-api.ts'
import { DeleteDialog } from '../delete-dialog.tsx'
import { toast } from '../toast.tsx'

export function DeleteViewDialog({ view, onClose }: { view: SavedView; onClose: () => void }) {
  const remove = useApiWrite('savedViews.remove', {
    refreshes: ['savedViews.list'],
    onSuccess() {
      onClose()
      toast.success(`${view.name} was deleted`)
    },
    onError: ({ message }) => toast.error(message),
  })
  return (
    <DeleteDialog
      noun="view"
      name={view.name}
      description="The records it shows are not affected."
      remove={{ isPending: remove.isPending, error: null }}
      onConfirm={() => remove.mutate({ path: { id: view._id } })}
      onClose={onClose}
    />
  )
}
