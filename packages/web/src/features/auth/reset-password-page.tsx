import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call, CallError } from '../../lib/call.ts'
import { fieldMessages } from '../../lib/field-messages.ts'
import { useSingleRun } from '../../lib/use-single-run.ts'
import { Button } from '../../ui/plain-button.tsx'
import { linkClass } from '../../ui/link-class.ts'
import { EmailLinkPage } from './email-link-page.tsx'
import { isWhole, readLinkToken } from './link-token.ts'
import { PasswordField } from './password-input.tsx'
import { PublicFrame } from './public-frame.tsx'
import { Refusal } from './refusal.tsx'
import { Strength } from './strength.tsx'
import { texts } from './texts.ts'

/** Target of links in mails: they set a new password, or concern a new email address. */
export function ResetPasswordPage() {
  const [emailToken] = useState(() => readLinkToken('email'))
  return emailToken === undefined ? <NewPassword /> : <EmailLinkPage token={emailToken} />
}

function NewPassword() {
  const [token] = useState(() => readLinkToken('account'))
  const [isDone, setDone] = useState(false)
  const navigate = useNavigate()
  if (isDone) {
    return (
      <PublicFrame title="Your password is set">
        <div className="flex flex-col gap-5">
          <p className="text-muted-foreground">You’ve been signed out everywhere. Log in with the new password.</p>
          <Button variant="primary" size="lg" autoFocus onClick={() => void navigate({ to: '/' })}>
            Go to the login
          </Button>
        </div>
      </PublicFrame>
    )
  }
  return (
    <PublicFrame title="Set a new password">
      {isWhole(token) ? <ResetForm token={token} onDone={() => setDone(true)} /> : <Incomplete />}
    </PublicFrame>
  )
}

function Incomplete() {
  return (
    <div className="flex flex-col gap-5">
      <Refusal text={texts.linkIncomplete} />
      <p className="text-center">
        <Link to="/forget-password" className={linkClass}>
          Request a new link
        </Link>
      </p>
    </div>
  )
}

function ResetForm({ token, onDone }: { token: string; onDone: () => void }) {
  const [newPassword, setNewPassword] = useState('')
  const [again, setAgain] = useState('')
  const [wrong, setWrong] = useState<{ newPassword?: string; again?: string; link?: string }>({})
  const [isPending, setPending] = useState(false)

  const submit = useSingleRun({ newPassword, again }, async () => {
    if (newPassword !== again) return setWrong({ again: 'Passwords don’t match' })
    setWrong({})
    setPending(true)
    try {
      await call('auth.resetPassword', { body: { newPassword, token } })
      return onDone()
    } catch (error) {
      const { newPassword: weak } = error instanceof CallError ? fieldMessages(error) : {}
      setWrong(weak ? { newPassword: weak } : { link: error instanceof Error ? error.message : texts.resetFailed })
    }
    return setPending(false)
  })

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      <PasswordField
        label="New password"
        autoComplete="new-password"
        autoFocus
        help="At least 8 characters"
        error={wrong.newPassword}
        value={newPassword}
        onValue={setNewPassword}
      />
      <Strength password={newPassword} />
      <PasswordField
        label="Confirm password"
        autoComplete="new-password"
        error={wrong.again}
        value={again}
        onValue={setAgain}
      />
      {wrong.link ? <Refusal text={wrong.link} /> : null}
      <Button type="submit" variant="primary" size="lg" loading={isPending} className="w-full max-md:h-12">
        Set new password
      </Button>
      <p className="text-center">
        <Link to="/forget-password" className={linkClass}>
          Request a new link
        </Link>
      </p>
    </form>
  )
}
