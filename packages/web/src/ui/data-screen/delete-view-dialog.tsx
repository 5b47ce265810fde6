import type { SavedView } from '@carillon/contract/saved-views'
import { useApiWrite } from '../../lib/use-api.ts'
import { ConfirmDialog } from '../dialog.tsx'
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
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Delete ${view.name}?`}
      description="The records it shows are not affected."
      action="Delete view"
      destructive
      loading={remove.isPending}
      onConfirm={() => remove.mutate({ path: { id: view._id } })}
    />
  )
}
