import type { ReactNode } from 'react'
import { ConfirmDialog } from './dialog.tsx'
import { Notice } from './notice.tsx'

type DeleteDialogProps = {
  /** The noun for the object: 'template'. */
  noun: string
  name: string
  /** What is deleted with it, and what is kept. */
  description: string
  cancel?: string
  remove: { isPending: boolean; error: Error | null }
  onConfirm: () => void
  /** Disables deletion; the children explain why. */
  disabled?: boolean
  onClose: () => void
  children?: ReactNode
}

/** Confirms a deletion; a server error is shown inside. */
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
