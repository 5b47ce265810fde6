import { Link, useRouter } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { call, CallError } from '../../lib/call.ts'
import { placeAfterSignIn } from '../../lib/guard.ts'
import { rememberedName, popRememberedPlace } from '../../lib/remembered-place.ts'
import { closeSecurityAlert } from '../../lib/security-alert.ts'
import { signIn } from '../../lib/session.ts'
import { useSingleRun } from '../../lib/use-single-run.ts'
import { Button } from '../../ui/plain-button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { linkClass } from '../../ui/link-class.ts'
import { PasswordField } from './password-input.tsx'
import { Refusal } from './refusal.tsx'
import { texts } from './texts.ts'

type Problems = {
  identity?: string | undefined
  password?: string | undefined
  refusal?: string | undefined
  /** Too many failed attempts: a code of the second factor allows one immediately. */
  isBlocked?: boolean
  /** Neither the account nor the password has been verified. */
  isWrong?: boolean
}

export function LoginForm() {
  const router = useRouter()
  const [identity, setIdentity] = useState(rememberedName)
  const [password, setPassword] = useState('')
  // Undefined until the server requires it.
  const [code, setCode] = useState<string>()
  const [problems, setProblems] = useState<Problems>({})
  const [isPending, setIsPending] = useState(false)
  const identityBox = useRef<HTMLInputElement>(null)
  const passwordBox = useRef<HTMLInputElement>(null)

  function back() {
    setCode(undefined)
    setPassword('')
    setProblems({})
  }

  const submit = useSingleRun({ identity, password, code }, async () => {
    const found = check({ identity, password })
    setProblems(found)
    if (found.identity) return identityBox.current?.focus()
    if (found.password) return passwordBox.current?.focus()

    setIsPending(true)
    try {
      const user = await call('auth.login', {
        body: { ...nameOf(identity.trim()), password, ...(code ? { code } : {}) },
      })
      signIn(user)
      closeSecurityAlert()
      router.history.replace(placeAfterSignIn(user, popRememberedPlace(user.username)))
    } catch (error) {
      const asksForCode = error instanceof CallError && error.code === 'second_factor_required'
      if (asksForCode && code === undefined) setCode('')
      else setProblems(problemsOf(error))
      setIsPending(false)
    }
    return undefined
  })

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      {code === undefined ? (
        <>
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
          <div className="relative">
            <PasswordField
              ref={passwordBox}
              label={texts.password}
              autoComplete="current-password"
              error={problems.password}
              value={password}
              onValue={setPassword}
            />
            <Forgot />
          </div>
        </>
      ) : (
        <CodeField code={code} onCode={setCode} />
      )}
      {problems.refusal ? <LoginFailed problems={problems} text={problems.refusal} /> : null}
      {problems.isBlocked && code === undefined ? <UseCode onUse={() => setCode('')} /> : null}
      <Button type="submit" variant="primary" size="lg" loading={isPending} className="mt-1 w-full max-md:h-12">
        {texts.action}
      </Button>
      {code === undefined ? <NewHere /> : <Back onBack={back} />}
    </form>
  )
}

function problemsOf(error: unknown): Problems {
  return {
    refusal: error instanceof Error ? error.message : 'Login failed',
    isBlocked: error instanceof CallError && error.code === 'too_many_requests',
    isWrong: error instanceof CallError && error.code === 'wrong_credentials',
  }
}

function LoginFailed({ problems, text }: { problems: Problems; text: string }) {
  if (!problems.isWrong) return <Refusal text={text} />
  const reset = (
    <>
      . Check both, or{' '}
      <Link to="/forget-password" className="underline">
        reset the password
      </Link>
      .
    </>
  )
  return <Refusal title="Login failed" text={text} hint={reset} />
}

function UseCode({ onUse }: { onUse: () => void }) {
  return (
    <button type="button" className={`self-start ${linkClass}`} onClick={onUse}>
      {texts.useCode}
    </button>
  )
}

function NewHere() {
  return (
    <p className="text-center text-muted-foreground">
      {texts.newHere}{' '}
      <Link to="/register" className={linkClass}>
        {texts.register}
      </Link>
    </p>
  )
}

function Back({ onBack }: { onBack: () => void }) {
  return (
    <button type="button" className={`self-center ${linkClass}`} onClick={onBack}>
      {texts.back}
    </button>
  )
}

/** Placed after the field in the DOM, so that Tab moves from the name to the password. */
function Forgot() {
  return (
    <span className="absolute top-0.5 right-0 text-caption">
      <Link to="/forget-password" className={linkClass}>
        {texts.forgot}
      </Link>
    </span>
  )
}

function CodeField({ code, onCode }: { code: string; onCode: (code: string) => void }) {
  return (
    <Field label={texts.code} help={texts.codeHelp}>
      <Input
        size="lg"
        mono
        autoFocus
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={12}
        value={code}
        onChange={(event) => onCode(event.target.value.trim())}
      />
    </Field>
  )
}

function nameOf(name: string): { email: string } | { username: string } {
  return name.includes('@') ? { email: name } : { username: name }
}

function check({ identity, password }: { identity: string; password: string }): Problems {
  return {
    identity: identity.trim() === '' ? texts.enterIdentity : undefined,
    password: password === '' ? texts.enterPassword : undefined,
  }
}
