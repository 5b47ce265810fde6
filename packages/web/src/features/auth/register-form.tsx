import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call, CallError, type CallData } from '../../lib/call.ts'
import { fieldMessages } from '../../lib/field-messages.ts'
import { typedPhone } from '../../lib/typed-phone.ts'
import { useSingleRun } from '../../lib/use-single-run.ts'
import { Button } from '../../ui/plain-button.tsx'
import { Field } from '../../ui/field.tsx'
import { useFirstFieldFocus } from '../../ui/first-focus.ts'
import { Input } from '../../ui/input.tsx'
import { linkClass } from '../../ui/link-class.ts'
import { PasswordField } from './password-input.tsx'
import { Refusal } from './refusal.tsx'
import { Strength } from './strength.tsx'

export type Newcomer = { organization: string; name: string }

type Offer = CallData<'auth.registration'>
type Draft = Newcomer & { username: string; email: string; phone: string; password: string }

type RegisterFormProps = {
  offer: Offer
  token: string | undefined
  onTyped: (newcomer: Newcomer) => void
  onMade: (made: { email: string; isPending: boolean }) => void
}

/** The form for first admin, invitation and self-registration; each shows the fields it needs. */
export function RegisterForm({ offer, token = '', onTyped, onMade }: RegisterFormProps) {
  const [draft, setDraft] = useState<Draft>({
    organization: '',
    name: '',
    username: '',
    email: offer.email ?? '',
    phone: '',
    password: '',
  })
  const [wrong, setWrong] = useState<Record<string, string>>({})
  const [problem, setProblem] = useState<string>()
  const [isPending, setPending] = useState(false)
  const form = useFirstFieldFocus()

  function set(patch: Partial<Draft>) {
    const next = { ...draft, ...patch }
    setDraft(next)
    onTyped(next)
  }

  const submit = useSingleRun(draft, async () => {
    setPending(true)
    setWrong({})
    setProblem(undefined)
    try {
      return onMade(await register(offer, { draft, token }))
    } catch (error) {
      const fields = error instanceof CallError ? fieldMessages(error) : {}
      setWrong(fields)
      // Errors of the link itself have no field.
      if (!Object.keys(fields).some((field) => field in draft))
        setProblem(error instanceof Error ? error.message : 'An unexpected error occurred')
    }
    return setPending(false)
  })

  const isOpen = offer.kind === 'open'
  const common = { draft, wrong, set }
  const founds = isOpen || offer.type === 'manager' || offer.type === 'reseller'
  return (
    <form ref={form} noValidate onSubmit={submit} className="flex flex-col gap-5">
      {founds ? (
        <Text label="Business name" hint="optional" field="organization" {...common} autoComplete="organization" />
      ) : null}
      <Text label="Your name" field="name" {...common} autoComplete="name" />
      {offer.kind === 'invitation' ? (
        <p className="text-muted-foreground">
          For <b className="font-medium text-foreground">{offer.email}</b>
        </p>
      ) : (
        <Text label="Work email" field="email" type="email" {...common} autoComplete="email" />
      )}
      {isOpen ? <Text label="Mobile" hint="optional" field="phone" type="tel" {...common} autoComplete="tel" /> : null}
      <Text
        label="Username"
        hint={isOpen ? 'optional' : undefined}
        field="username"
        {...common}
        autoComplete="username"
      />
      <PasswordField
        label="Password"
        autoComplete="new-password"
        help={offer.kind === 'first_admin' ? 'At least 15 characters' : 'At least 8 characters'}
        error={wrong['password']}
        value={draft.password}
        onValue={(password) => set({ password })}
      />
      <Strength password={draft.password} />
      {problem ? <Refusal text={problem} /> : null}
      <Button type="submit" variant="primary" size="lg" loading={isPending} className="w-full max-md:h-12">
        Create account
      </Button>
      <p className="text-center text-muted-foreground">
        Already registered?{' '}
        <Link to="/" className={linkClass}>
          Log in
        </Link>
      </p>
    </form>
  )
}

type TextProps = {
  label: string
  hint?: string | undefined
  field: keyof Draft
  type?: 'text' | 'email' | 'tel'
  autoComplete: string
  draft: Draft
  wrong: Record<string, string>
  set: (patch: Partial<Draft>) => void
}

function Text({ label, hint, field, type = 'text', autoComplete, draft, wrong, set }: TextProps) {
  return (
    <Field label={label} hint={hint} error={wrong[field]}>
      <Input
        size="lg"
        type={type}
        autoComplete={autoComplete}
        maxLength={254}
        {...(field === 'username' ? { autoCapitalize: 'none', spellCheck: false } : {})}
        {...(field === 'phone' ? { placeholder: '+91 98765 43210' } : {})}
        value={draft[field]}
        onChange={(event) => set({ [field]: event.target.value })}
      />
    </Field>
  )
}

async function register(offer: Offer, { draft, token }: { draft: Draft; token: string }) {
  const { organization, name, password } = draft
  const username = draft.username.trim()
  const email = draft.email.trim()
  if (offer.kind === 'first_admin') {
    await call('auth.firstAdmin', { body: { token, name, username, email, password } })
    return { email, isPending: false }
  }
  if (offer.kind === 'invitation') {
    const body = { token, name, username, password, ...(organization.trim() ? { organization } : {}) }
    const made = await call('invitations.accept', { body })
    return { email: made.email, isPending: made.status === 'pending' }
  }
  const made = await call('auth.registerDefault', {
    body: {
      name,
      email,
      password,
      ...(organization.trim() ? { organization } : {}),
      ...(username ? { username } : {}),
      ...(draft.phone.trim() ? { phone: typedPhone(draft.phone) } : {}),
    },
  })
  return { email: made.email, isPending: made.status === 'pending' }
}
