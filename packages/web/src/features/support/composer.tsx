import type { SupportRequest } from '@carillon/contract/support'
import { Send } from 'lucide-react'
import { useState, type FormEvent, type KeyboardEvent } from 'react'
import { useApiWrite } from '../../lib/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { FieldMessage } from '../../ui/field.tsx'
import { Textarea } from '../../ui/input.tsx'
import type { Side } from './support-labels.ts'

/** A reply, or an internal note visible only to support. */
export function Composer({ request, side }: { request: SupportRequest; side: Side }) {
  const { id, status, mayAnswer } = request
  // An account that escalated the request can add notes only; a closed request accepts nothing.
  const onlyNotes = side === 'staff' && (!mayAnswer || status === 'closed')
  const [body, setBody] = useState('')
  const [isNote, setIsNote] = useState(false)
  const isInternal = onlyNotes || (side === 'staff' && isNote)
  const send = useApiWrite('support.answer', {
    refreshes: ['support.messages', 'support.get', 'support.list'],
    onSuccess: () => setBody(''),
  })

  function submit(event?: FormEvent) {
    event?.preventDefault()
    if (body.trim() === '' || send.isPending) return
    send.mutate({ path: { id }, body: { body, isInternal } })
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit()
  }
  if (side === 'customer' && status === 'closed') {
    return (
      <p className="sticky bottom-0 shrink-0 border-t border-border bg-muted px-5 py-4 text-muted-foreground">
        This request is closed. Reopen it to reply.
      </p>
    )
  }
  return (
    <form
      data-foot="tall"
      onSubmit={submit}
      className="sticky bottom-0 flex shrink-0 flex-col gap-2 border-t border-border bg-card px-5 py-3 dark:bg-popover"
    >
      <Textarea
        rows={3}
        aria-label={isInternal ? 'Note' : 'Message'}
        placeholder={isInternal ? 'Write an internal note' : 'Write a message'}
        maxLength={5000}
        value={body}
        onChange={({ target }) => setBody(target.value)}
        onKeyDown={onKeyDown}
      />
      {send.error ? <FieldMessage text={send.error.message} /> : null}
      <div className="flex items-center justify-between gap-3">
        {side === 'staff' ? (
          <Checkbox
            label="Internal note"
            checked={isInternal}
            disabled={onlyNotes}
            onChange={({ target }) => setIsNote(target.checked)}
          />
        ) : (
          <span />
        )}
        <Button type="submit" variant="primary" size="sm" loading={send.isPending} aria-disabled={body.trim() === ''}>
          <Send aria-hidden /> {isInternal ? 'Add note' : 'Send'}
        </Button>
      </div>
    </form>
  )
}
