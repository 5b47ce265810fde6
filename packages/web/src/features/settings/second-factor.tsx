import type { Profile } from '@carillon/contract/accounts'
import { ShieldCheck, ShieldPlus } from 'lucide-react'
import { useState, type FormEvent, type ReactNode } from 'react'
import { fieldMessages, useApiWrite } from '../../lib/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Pill } from '../../ui/pill.tsx'
import { copy } from '../../ui/copy.ts'
import { Qr } from '../../ui/qr.tsx'
import { toast } from '../../ui/toast.tsx'

/** Two-factor authentication; recommended for accounts that manage others. */
export function SecondFactor({ profile }: { profile: Profile }) {
  const [doing, setDoing] = useState<'add' | 'remove'>()
  const Icon = profile.hasTotp ? ShieldCheck : ShieldPlus
  return (
    <section className="flex flex-col gap-3">
      <h2 className="flex items-center gap-2 text-section font-semibold">
        Two-factor authentication {profile.hasTotp ? <Pill tone="good">On</Pill> : <Pill tone="neutral">Off</Pill>}
      </h2>
      {profile.shouldAddTotp ? (
        <Notice tone="care">
          Your account manages others: turn on two-factor authentication, so that a stolen password is not enough to
          sign in.
        </Notice>
      ) : null}
      <p className="text-muted-foreground">
        With an authenticator app, signing in asks for six digits that only your phone knows.
      </p>
      <Button className="self-start" onClick={() => setDoing(profile.hasTotp ? 'remove' : 'add')}>
        <Icon aria-hidden />{' '}
        {profile.hasTotp ? 'Turn off two-factor authentication' : 'Set up two-factor authentication'}
      </Button>
      {doing === 'add' ? <AddDialog onClose={() => setDoing(undefined)} /> : null}
      {doing === 'remove' ? <RemoveDialog onClose={() => setDoing(undefined)} /> : null}
    </section>
  )
}

function AddDialog({ onClose }: { onClose: () => void }) {
  const [secret, setSecret] = useState<{ secret: string; uri: string }>()
  const [codes, setCodes] = useState<readonly string[]>()
  const begin = useApiWrite('totp.begin', { onSuccess: setSecret })
  const confirm = useApiWrite('totp.confirm', {
    refreshes: ['profile.details'],
    onSuccess: ({ recoveryCodes }) => setCodes(recoveryCodes),
  })
  if (codes) return <RecoveryCodes codes={codes} onClose={onClose} />
  // Separate keys, so that the input of the first step is not carried over to the second.
  return secret ? (
    <AskDialog
      key="code"
      title="Scan and confirm"
      field="code"
      label="6-digit code"
      action="Confirm"
      isPending={confirm.isPending}
      error={confirm.error}
      onClose={onClose}
      onAnswer={(code) => confirm.mutate({ body: { code } })}
    >
      <Qr text={secret.uri} label="QR code of the secret" className="mx-auto size-48" />
      <p className="text-center text-dense text-muted-foreground">
        Or type it: <Copyable text={secret.secret} label="Copy the secret" />
      </p>
    </AskDialog>
  ) : (
    <AskDialog
      key="password"
      title="Set up two-factor authentication"
      field="currentPassword"
      label="Your password"
      action="Continue"
      isPassword
      isPending={begin.isPending}
      error={begin.error}
      onClose={onClose}
      onAnswer={(currentPassword) => begin.mutate({ body: { currentPassword } })}
    />
  )
}

function RemoveDialog({ onClose }: { onClose: () => void }) {
  const remove = useApiWrite('totp.remove', {
    refreshes: ['profile.details'],
    onSuccess() {
      onClose()
      toast.success('Two-factor authentication is off')
    },
  })
  return (
    <AskDialog
      title="Turn off two-factor authentication"
      field="currentPassword"
      label="Your password"
      action="Turn off"
      isPassword
      isPending={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onAnswer={(currentPassword) => remove.mutate({ body: { currentPassword } })}
    />
  )
}

type AskDialogProps = {
  title: string
  field: string
  label: string
  action: string
  isPassword?: boolean
  isPending: boolean
  error: Parameters<typeof fieldMessages>[0]
  onClose: () => void
  onAnswer: (answer: string) => void
  children?: ReactNode
}

/** A dialog with a single answer. */
function AskDialog(props: AskDialogProps) {
  const { title, field, label, action, isPassword, isPending, error, onClose, onAnswer, children } = props
  const [answer, setAnswer] = useState('')
  const wrong = fieldMessages(error)[field] ?? error?.message
  function submit(event: FormEvent) {
    event.preventDefault()
    onAnswer(answer)
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="ask" variant="primary" loading={isPending}>
            {action}
          </Button>
        </>
      }
    >
      <form id="ask" noValidate onSubmit={submit} className="flex flex-col gap-4">
        {children}
        <Field label={label} error={wrong}>
          <Input
            autoFocus
            type={isPassword ? 'password' : 'text'}
            {...(isPassword ? {} : { inputMode: 'numeric', mono: true })}
            autoComplete={isPassword ? 'current-password' : 'one-time-code'}
            value={answer}
            onChange={({ target }) => setAnswer(target.value)}
          />
        </Field>
      </form>
    </Dialog>
  )
}

function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Save your recovery codes"
      description="Each signs you in once, when the phone is lost. They are shown only now."
      footer={
        <>
          <Button onClick={() => copy(codes.join('\n'), () => toast.success('Copied'))}>Copy all</Button>
          <Button variant="primary" onClick={onClose}>
            I’ve saved them
          </Button>
        </>
      }
    >
      <ul className="grid grid-cols-2 gap-2 rounded-lg border border-line bg-sunken p-4 font-mono tracking-normal">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </Dialog>
  )
}
