import type { Profile } from '@carillon/contract/accounts'
import { useState, type FormEvent } from 'react'
import { formatDate, roleNames } from '../../lib/format.ts'
import { fieldMessages, useApiWrite } from '../../lib/use-api.ts'
import { typedPhone } from '../../lib/typed-phone.ts'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { TimeZoneSelect } from '../../ui/time-zone-select.tsx'
import { toast } from '../../ui/toast.tsx'
import { OwnPendingEmail } from './own-pending-email.tsx'
import { SaveBar } from '../../ui/save-bar.tsx'

type Draft = { name: string; email: string; phone: string; timezone: string; currentPassword: string }

/** The account's own details. A new e-mail address requires the password and confirmation by mail. */
export function ProfileSection({ profile }: { profile: Profile }) {
  const saved = draftOf(profile)
  const [draft, setDraft] = useState(saved)
  const save = useApiWrite('profile.update', {
    refreshes: ['profile.details'],
    onSuccess(next) {
      setDraft(draftOf(next))
      const { pendingEmail } = next
      toast.success(pendingEmail && newEmail ? `We sent a link to ${pendingEmail.email}` : 'Profile saved')
    },
  })
  const wrong = fieldMessages(save.error)
  const newEmail = draft.email.trim() !== saved.email
  const isDirty = JSON.stringify(draft) !== JSON.stringify(saved)
  const set = (patch: Partial<Draft>) => setDraft({ ...draft, ...patch })

  function submit(event: FormEvent) {
    event.preventDefault()
    const { currentPassword, email, phone, ...rest } = draft
    save.mutate({
      body: { ...rest, phone: typedPhone(phone), ...(newEmail ? { email: email.trim(), currentPassword } : {}) },
    })
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <Facts profile={profile} />
      <Field label="Name" error={wrong['name']}>
        <Input
          autoComplete="name"
          maxLength={120}
          value={draft.name}
          onChange={({ target }) => set({ name: target.value })}
        />
      </Field>
      <EmailFields draft={draft} isNew={newEmail} wrong={wrong} set={set} />
      {profile.pendingEmail ? <OwnPendingEmail pending={profile.pendingEmail} /> : null}
      <Field label="Mobile" hint="optional" error={wrong['phone']}>
        <Input
          type="tel"
          autoComplete="tel"
          placeholder="+91 98765 43210"
          value={draft.phone}
          onChange={({ target }) => set({ phone: target.value })}
        />
      </Field>
      <Field label="Time zone" help="Every date and time is shown in it." error={wrong['timezone']}>
        <TimeZoneSelect value={draft.timezone} onValueChange={(timezone) => set({ timezone })} />
      </Field>
      <SaveBar
        isDirty={isDirty}
        isSaving={save.isPending}
        error={save.error && Object.keys(wrong).length === 0 ? save.error : null}
        onReset={() => {
          save.reset()
          setDraft(saved)
        }}
      />
    </form>
  )
}

type EmailFieldsProps = {
  draft: Draft
  isNew: boolean
  wrong: Record<string, string>
  set: (patch: Partial<Draft>) => void
}

function EmailFields({ draft, isNew, wrong, set }: EmailFieldsProps) {
  return (
    <>
      <Field
        label="Email"
        error={wrong['email']}
        help={
          isNew
            ? 'We’ll email a link to the new address. The current address stays in use until you confirm it.'
            : undefined
        }
      >
        <Input
          type="email"
          autoComplete="email"
          maxLength={254}
          value={draft.email}
          onChange={({ target }) => set({ email: target.value })}
        />
      </Field>
      {isNew ? (
        <Field label="Your password" error={wrong['currentPassword']}>
          <Input
            type="password"
            autoComplete="current-password"
            value={draft.currentPassword}
            onChange={({ target }) => set({ currentPassword: target.value })}
          />
        </Field>
      ) : null}
    </>
  )
}

function Facts({ profile }: { profile: Profile }) {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5 rounded-lg border border-border bg-sunken p-4 [&_dt]:text-muted-foreground">
      <dt>Username</dt>
      <dd>{profile.username}</dd>
      <dt>Role</dt>
      <dd>{roleNames[profile.type]}</dd>
      <dt>Organisation</dt>
      <dd>{profile.organization}</dd>
      {profile.accountManager ? (
        <>
          <dt>Account manager</dt>
          <dd>{profile.accountManager}</dd>
        </>
      ) : null}
      <dt>Member since</dt>
      <dd>{formatDate(profile.createdAt)}</dd>
    </dl>
  )
}

function draftOf({ name, email, phone = '', timezone }: Profile): Draft {
  return { name, email, phone, timezone, currentPassword: '' }
}
