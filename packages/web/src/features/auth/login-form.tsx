import { useRouter } from '@tanstack/react-router'
import { CircleAlert, Eye, EyeOff } from 'lucide-react'
import { useRef, useState, type FormEvent, type KeyboardEvent } from 'react'
import { call } from '../../lib/call.ts'
import { placeAfterSignIn } from '../../lib/guard.ts'
import { takeRememberedPlace } from '../../lib/remembered-place.ts'
import { closeSecurityAlert } from '../../lib/security-alert.ts'
import { signIn } from '../../lib/session.ts'
import { Button } from '../../ui/plain-button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { texts } from './texts.ts'

type Problems = { identity?: string | undefined; password?: string | undefined; refusal?: string | undefined }

export function LoginForm() {
  const router = useRouter()
  const [identity, setIdentity] = useState('')
  const [password, setPassword] = useState('')
  const [isShown, setIsShown] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  const [problems, setProblems] = useState<Problems>({})
  const [isPending, setIsPending] = useState(false)
  const identityBox = useRef<HTMLInputElement>(null)
  const passwordBox = useRef<HTMLInputElement>(null)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isPending) return
    const found = check({ identity, password })
    setProblems(found)
    if (found.identity) return identityBox.current?.focus()
    if (found.password) return passwordBox.current?.focus()

    setIsPending(true)
    try {
      const name = identity.trim()
      const user = await call('auth.login', {
        body: name.includes('@') ? { email: name, password } : { username: name, password },
      })
      signIn(user)
      closeSecurityAlert()
      router.history.replace(placeAfterSignIn(user, takeRememberedPlace()))
    } catch (error) {
      setProblems({ refusal: error instanceof Error ? error.message : 'Login failed' })
      setIsPending(false)
    }
    return undefined
  }

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
      <Field label={texts.identity} error={problems.identity}>
        <Input
          ref={identityBox}
          name="username"
          size="lg"
          autoFocus={matchMedia('(pointer: fine)').matches}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
          value={identity}
          onChange={(event) => setIdentity(event.target.value)}
        />
      </Field>
      <Field label={texts.password} error={problems.password} help={capsLock ? texts.capsLock : undefined}>
        <Input
          ref={passwordBox}
          name="password"
          size="lg"
          type={isShown ? 'text' : 'password'}
          autoComplete="current-password"
          maxLength={128}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          onKeyDown={(event) => setCapsLock(capsLockOf(event))}
          onBlur={() => setCapsLock(false)}
          trailing={<ShowPassword isShown={isShown} onToggle={() => setIsShown(!isShown)} />}
        />
      </Field>
      {problems.refusal ? <Refusal text={problems.refusal} /> : null}
      <Button type="submit" variant="primary" size="lg" loading={isPending} className="mt-1 w-full max-md:h-12">
        {texts.action}
      </Button>
    </form>
  )
}

function check({ identity, password }: { identity: string; password: string }): Problems {
  return {
    identity: identity.trim() === '' ? texts.enterIdentity : undefined,
    password: password === '' ? texts.enterPassword : undefined,
  }
}

function capsLockOf(event: KeyboardEvent): boolean {
  return event.getModifierState('CapsLock')
}

function ShowPassword({ isShown, onToggle }: { isShown: boolean; onToggle: () => void }) {
  const Icon = isShown ? EyeOff : Eye
  return (
    <button
      type="button"
      aria-label={isShown ? texts.hidePassword : texts.showPassword}
      onClick={onToggle}
      className="-mr-1 grid size-7 shrink-0 place-items-center rounded-sm text-muted-foreground hover:bg-accent hover:text-foreground max-md:-mr-2.5 max-md:size-11"
    >
      <Icon aria-hidden className="size-4" />
    </button>
  )
}

function Refusal({ text }: { text: string }) {
  return (
    <div
      role="alert"
      className="flex items-start gap-2.5 rounded-lg bg-danger-muted px-3.5 py-3 text-danger-text inset-ring inset-ring-[color-mix(in_oklab,var(--destructive)_35%,transparent)]"
    >
      <CircleAlert aria-hidden className="mt-0.5 size-4" />
      <b>{text}</b>
    </div>
  )
}
