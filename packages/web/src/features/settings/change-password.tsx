import { useState, type FormEvent } from 'react'
import { signIn } from '../../lib/session.ts'
import { fieldMessages, useApiWrite } from '../../lib/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.tsx'

/** Ends all other sessions; this one continues. */
export function ChangePassword() {
  const [currentPassword, setCurrent] = useState('')
  const [newPassword, setNew] = useState('')
  const change = useApiWrite('auth.changePassword', {
    onSuccess(user) {
      signIn(user)
      setCurrent('')
      setNew('')
      toast.success('Password changed', { description: 'Every other session was ended.' })
    },
  })
  const wrong = fieldMessages(change.error)

  function submit(event: FormEvent) {
    event.preventDefault()
    change.mutate({ body: { currentPassword, newPassword } })
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <h2 className="text-section font-semibold">Password</h2>
      <Field label="Your password" error={wrong['currentPassword']}>
        <Input
          type="password"
          autoComplete="current-password"
          value={currentPassword}
          onChange={({ target }) => setCurrent(target.value)}
        />
      </Field>
      <Field label="New password" error={wrong['newPassword']}>
        <Input
          type="password"
          autoComplete="new-password"
          value={newPassword}
          onChange={({ target }) => setNew(target.value)}
        />
      </Field>
      {change.error && Object.keys(wrong).length === 0 ? <Notice tone="bad">{change.error.message}</Notice> : null}
      <Button type="submit" className="self-start" loading={change.isPending}>
        Change password
      </Button>
    </form>
  )
}
