import { truncate } from '@carillon/contract/text'
import { Copy, Send } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { useUser } from '../../lib/session.ts'
import { closeSupport } from '../../lib/support.ts'
import { fieldMessages, useApiWrite } from '../../lib/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Textarea } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { copy } from '../../ui/copy.ts'
import { toast } from '../../ui/toast.tsx'

/** Feedback to the account above. Admins, who have none, copy the text instead. */
export function FeedbackForm() {
  const user = useUser()
  const [body, setBody] = useState('')
  const send = useApiWrite('support.open', {
    refreshes: ['support.list'],
    onSuccess() {
      toast.success('Thank you: your feedback was sent')
      closeSupport()
    },
  })
  const wrong = fieldMessages(send.error)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (body.trim() === '' || send.isPending) return
    if (user?.type === 'admin') copy(body, () => toast.success('Copied'))
    else send.mutate({ body: { kind: 'feedback', category: 'feature_request', subject: subjectOf(body), body } })
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-1 flex-col gap-4 p-5">
      <Field label="What could be better?" help="What works well helps us just as much." error={wrong['body']}>
        <Textarea rows={10} maxLength={5000} value={body} onChange={({ target }) => setBody(target.value)} />
      </Field>
      {send.error && !wrong['body'] ? <Notice tone="bad">{send.error.message}</Notice> : null}
      <div className="flex justify-end gap-2">
        <Button onClick={closeSupport}>Cancel</Button>
        <Button type="submit" variant="primary" loading={send.isPending} aria-disabled={body.trim() === ''}>
          {user?.type === 'admin' ? (
            <>
              <Copy aria-hidden /> Copy for support
            </>
          ) : (
            <>
              <Send aria-hidden /> Send feedback
            </>
          )}
        </Button>
      </div>
    </form>
  )
}

/** The beginning of its first line. */
function subjectOf(body: string): string {
  const line = body.trim().split('\n')[0] ?? ''
  return `Feedback: ${line.length > 80 ? `${truncate(line, 79)}…` : line}`
}
