import { useState, type FormEvent } from 'react'
import { fieldMessages, useApiWrite } from '../../lib/use-api.ts'
import { typedPhone } from '../../lib/typed-phone.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.tsx'
import { accountReads } from './reads.ts'
import type { ActionDialogProps } from './user-action.ts'
import { UserPendingEmail } from './user-pending-email.tsx'

const fields = [
  { name: 'name', label: 'Name', type: 'text' },
  { name: 'username', label: 'Username', type: 'text' },
  { name: 'email', label: 'Email', type: 'email' },
  { name: 'phone', label: 'Mobile', type: 'tel' },
] as const

export function EditUserDialog({ user, onClose }: ActionDialogProps) {
  const { name, username, email, phone = '' } = user
  const [draft, setDraft] = useState({ name, username, email, phone })
  const save = useApiWrite('users.update', {
    refreshes: accountReads,
    onSuccess(saved) {
      onClose()
      const sentTo = email === draft.email ? undefined : saved.pendingEmail?.email
      toast.success(`${saved.name} saved`, sentTo ? { description: `We sent a link to confirm to ${sentTo}` } : {})
    },
  })
  const wrong = fieldMessages(save.error)

  function submit(event: FormEvent) {
    event.preventDefault()
    save.mutate({ body: { userId: user._id, ...draft, phone: typedPhone(draft.phone) } })
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Edit ${user.name}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="edit-user" variant="primary" loading={save.isPending}>
            Save changes
          </Button>
        </>
      }
    >
      <form id="edit-user" noValidate onSubmit={submit} className="flex flex-col gap-4">
        {fields.map((field) => (
          <Field
            key={field.name}
            label={field.label}
            hint={field.name === 'phone' ? 'optional' : undefined}
            error={wrong[field.name]}
            help={field.name === 'email' ? emailHelp(user.mayOpen, draft.email !== email) : undefined}
          >
            <Input
              type={field.type}
              autoComplete="off"
              disabled={field.name === 'email' && !user.mayOpen}
              value={draft[field.name]}
              onChange={({ target }) => setDraft({ ...draft, [field.name]: target.value })}
            />
          </Field>
        ))}
        <UserPendingEmail user={user} />
        {save.error && Object.keys(wrong).length === 0 ? <Notice tone="bad">{save.error.message}</Notice> : null}
      </form>
    </Dialog>
  )
}

function emailHelp(mayOpen: boolean, isNew: boolean): string | undefined {
  if (!mayOpen) return 'Only the owner, or someone who can open this account, can change it.'
  return isNew
    ? 'We’ll email a link to the new address. The current address stays in use until it’s confirmed.'
    : undefined
}
