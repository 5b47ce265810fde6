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
import type { DeedDialogProps } from './deed.ts'

const fields = [
  { name: 'name', label: 'Name', type: 'text' },
  { name: 'username', label: 'Username', type: 'text' },
  { name: 'email', label: 'Email', type: 'email' },
  { name: 'phone', label: 'Mobile', type: 'tel' },
] as const

export function EditUserDialog({ user, onClose }: DeedDialogProps) {
  const { name, username, email, phone = '' } = user
  const [draft, setDraft] = useState({ name, username, email, phone })
  const save = useApiWrite('users.update', {
    refreshes: accountReads,
    onSuccess(saved) {
      onClose()
      toast.success(`${saved.name} saved`)
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
          >
            <Input
              type={field.type}
              autoComplete="off"
              value={draft[field.name]}
              onChange={({ target }) => setDraft({ ...draft, [field.name]: target.value })}
            />
          </Field>
        ))}
        {save.error && Object.keys(wrong).length === 0 ? <Notice tone="bad">{save.error.message}</Notice> : null}
      </form>
    </Dialog>
  )
}
