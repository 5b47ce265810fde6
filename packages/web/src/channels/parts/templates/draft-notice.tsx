import { formatDateTime, formatTime, isToday } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import type { OpenFormDraft } from './use-form-draft.ts'

/** Says that a draft from another day or tab is shown, or that the template has changed since. */
export function DraftNotice({ draft: { from, isOutdated, take, discard } }: { draft: OpenFormDraft }) {
  if (from === undefined) return null
  const when = isToday(from) ? formatTime(from) : formatDateTime(from)
  const discardButton = (
    <Button variant="ghost" size="tool" onClick={discard}>
      Discard draft
    </Button>
  )
  if (!isOutdated) {
    return (
      <Notice tone="info" actions={discardButton}>
        Your unsaved draft from {when} is open again.
      </Notice>
    )
  }
  return (
    <Notice
      tone="care"
      actions={
        <>
          <Button size="tool" onClick={take}>
            Use my draft
          </Button>
          {discardButton}
        </>
      }
    >
      You have an unsaved draft from {when}. This template was changed in another tab or by someone else since.
    </Notice>
  )
}
