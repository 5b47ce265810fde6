import { formatMoney } from '../../lib/format.ts'
import { useApiWrite } from '../../lib/use-api.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.tsx'
import type { ActionDialogProps } from './user-action.ts'
import { accountReads, moneyReads } from './reads.ts'

/** Confirms giving a member a separate balance, or removing it. */
export function OwnBalanceDialog({ user, onClose }: ActionDialogProps) {
  const { _id, name, balance } = user
  const hasOwn = balance !== undefined
  const set = useApiWrite('balance.setOwn', {
    refreshes: [...accountReads, ...moneyReads],
    onSuccess() {
      onClose()
      toast.success(hasOwn ? `${name} uses the shared balance` : `${name} has its own balance`)
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={hasOwn ? `Let ${name} use the shared balance?` : `Give ${name} its own balance?`}
      description={
        hasOwn
          ? `The remaining ${formatMoney(balance)} returns to your balance. From then on it spends from yours.`
          : 'It starts with ₹0.00 and cannot send until you add balance. It no longer spends from yours.'
      }
      action={hasOwn ? 'Use shared balance' : 'Give own balance'}
      loading={set.isPending}
      onConfirm={() => set.mutate({ body: { userId: _id, ownBalance: !hasOwn } })}
    >
      {set.error ? <Notice tone="bad">{set.error.message}</Notice> : null}
    </ConfirmDialog>
  )
}
