import { useBlocker } from '@tanstack/react-router'
import { ConfirmDialog } from './dialog.tsx'

type UnsavedGuardProps = {
  isDirty: boolean
  /** What was changed: 'this template', 'your profile'. */
  what: string
}

/** Confirms before unsaved changes are lost, on navigation and when the tab is closed. */
export function UnsavedGuard({ isDirty, what }: UnsavedGuardProps) {
  const blocker = useBlocker({ shouldBlockFn: () => isDirty, enableBeforeUnload: () => isDirty, withResolver: true })
  return (
    <ConfirmDialog
      open={blocker.status === 'blocked'}
      onOpenChange={(open) => !open && blocker.reset?.()}
      title="Leave without saving?"
      description={`Your changes to ${what} are not saved.`}
      cancel="Keep editing"
      action="Leave"
      destructive
      onConfirm={() => blocker.proceed?.()}
    />
  )
}
