import type { ReactNode } from 'react'
import { ConfirmDialog } from './dialog.tsx'
import { Notice } from './notice.tsx'

type DeleteDialogProps = {
  /** What is deleted: 'template'. */
  noun: string
  name: string
  /** What is deleted with it, and what is kept. */
  description: string
  cancel?: string
  remove: { isPending: boolean; error: Error | null }
  onConfirm: () => void
  /** It would be refused; the children say why. */
  disabled?: boolean
  onClose: () => void
  children?: ReactNode
}

/** Asks before one thing is deleted; a refusal of the server is shown inside. */
export function DeleteDialog({ noun, name, remove, onClose, children, ...rest }: DeleteDialogProps) {
  return (
    <ConfirmDialog
      {...rest}
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Delete ${name}?`}
      action={`Delete ${noun}`}
      destructive
      loading={remove.isPending}
    >
      <div className="flex flex-col gap-3 empty:hidden">
        {children}
        {remove.error ? <Notice tone="bad">{remove.error.message}</Notice> : null}
      </div>
    </ConfirmDialog>
  )
}
