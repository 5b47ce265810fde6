import { Link } from '@tanstack/react-router'
import { MailCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { call } from '../../lib/call.ts'
import { useSingleRun } from '../../lib/use-single-run.ts'
import { Button } from '../../ui/plain-button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { linkClass } from '../../ui/link-class.ts'
import { PublicFrame } from './public-frame.tsx'
import { Refusal } from './refusal.tsx'

const waitSeconds = 60

/** Requests a password reset link; the response is the same whether the address is known or not. */
export function ForgetPasswordPage() {
  const [email, setEmail] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isPending, setPending] = useState(false)
  const [wait, startWait] = useWait()
  const [sent, setSent] = useState<{ canMail: boolean }>()

  const submit = useSingleRun(email, async () => {
    if (!/^\S+@\S+\.\S+$/.test(email.trim())) return setProblem('Enter an e-mail address')
    setProblem(undefined)
    setPending(true)
    try {
      const answer = await call('auth.sendResetLink', { body: { email: email.trim() } })
      setSent(answer)
      if (answer.canMail) startWait()
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'An unexpected error occurred')
    }
    return setPending(false)
  })

  return (
    <PublicFrame title="Forgot your password?">
      <form noValidate onSubmit={submit} className="flex flex-col gap-5">
        <Field label="Email">
          <Input
            size="lg"
            type="email"
            autoComplete="email"
            autoFocus={matchMedia('(pointer: fine)').matches}
            maxLength={254}
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        </Field>
        {problem ? <Refusal text={problem} /> : null}
        {sent && !sent.canMail && !problem ? (
          <Refusal text="Email isn’t configured here, so we can’t send a link. Ask your account manager for a one-time password." />
        ) : null}
        {sent?.canMail && !problem ? (
          <p
            role="status"
            className="flex items-start gap-2.5 rounded-lg bg-success-muted px-3.5 py-3 text-success-text"
          >
            <MailCheck aria-hidden className="mt-0.5 size-4" />
            If an account uses this address, we’ve emailed it a link. It works once and expires in 20 minutes.
          </p>
        ) : null}
        <Button
          type="submit"
          variant="primary"
          size="lg"
          loading={isPending}
          disabled={wait > 0}
          className="w-full max-md:h-12"
        >
          {wait > 0 ? `Send again in ${wait} s` : sent?.canMail ? 'Send again' : 'Send reset link'}
        </Button>
        <p className="text-center">
          <Link to="/" className={linkClass}>
            Back to login
          </Link>
        </p>
      </form>
    </PublicFrame>
  )
}

/** Counts down to the next attempt. */
function useWait(): [number, () => void] {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    if (left <= 0) return undefined
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [left])
  return [left, () => setLeft(waitSeconds)]
}
