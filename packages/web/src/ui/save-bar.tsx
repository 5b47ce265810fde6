import { Button } from './button.tsx'
import { Notice } from './notice.tsx'
import { UnsavedGuard } from './unsaved-guard.tsx'

type SaveBarProps = { isDirty: boolean; isSaving: boolean; error: Error | null; onReset: () => void }

/** Shown at the bottom of a form with unsaved changes. */
export function SaveBar({ isDirty, isSaving, error, onReset }: SaveBarProps) {
  return (
    <>
      <UnsavedGuard isDirty={isDirty} what="these settings" />
      {isDirty || error ? <Bar {...{ isSaving, error, onReset }} /> : null}
    </>
  )
}

function Bar({ isSaving, error, onReset }: Omit<SaveBarProps, 'isDirty'>) {
  return (
    <div className="sticky bottom-0 z-5 -mx-4 mt-6 flex flex-col gap-2 border-t border-border bg-card px-4 py-3 md:-mx-6 md:px-6">
      {error ? <Notice tone="bad">{error.message}</Notice> : null}
      <div className="flex justify-end gap-2">
        <Button onClick={onReset} disabled={isSaving}>
          Undo changes
        </Button>
        <Button type="submit" variant="primary" loading={isSaving}>
          Save changes
        </Button>
      </div>
    </div>
  )
}
