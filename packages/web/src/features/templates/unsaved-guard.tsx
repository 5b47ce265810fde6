import { useBlocker } from '@tanstack/react-router'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { texts } from './texts.ts'

/** Asks before changes are lost, inside the product and when the tab is closed. */
export function UnsavedGuard({ isDirty }: { isDirty: boolean }) {
  const blocker = useBlocker({ shouldBlockFn: () => isDirty, enableBeforeUnload: () => isDirty, withResolver: true })
  return (
    <ConfirmDialog
      open={blocker.status === 'blocked'}
      onOpenChange={(open) => !open && blocker.reset?.()}
      title={texts.leaveTitle}
      description={texts.leaveText}
      cancel="Keep editing"
      action="Leave"
      destructive
      onConfirm={() => blocker.proceed?.()}
    />
  )
}
