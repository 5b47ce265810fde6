import { useState } from 'react'
import { call, CallError } from '../../lib/call.ts'
import { fieldMessages } from '../../lib/field-messages.ts'
import { signIn, signOut, useUser } from '../../lib/session.ts'
import { useSingleRun } from '../../lib/use-single-run.ts'
import { Button } from '../../ui/plain-button.tsx'
import { PasswordField } from './password-input.tsx'
import { PublicFrame } from './public-frame.tsx'
import { Refusal } from './refusal.tsx'
import { Strength } from './strength.tsx'
import { texts } from './texts.ts'

/** First sign-in with a temporary password: a new one must be set before anything else. */
export function FirstPasswordPage() {
  const user = useUser()
  const [currentPassword, setCurrent] = useState('')
  const [newPassword, setNew] = useState('')
  const [wrong, setWrong] = useState<Record<string, string>>({})
  const [problem, setProblem] = useState<string>()
  const [isPending, setPending] = useState(false)

  const submit = useSingleRun({ currentPassword, newPassword }, async () => {
    setPending(true)
    setWrong({})
    setProblem(undefined)
    try {
      return signIn(await call('auth.changePassword', { body: { currentPassword, newPassword } }))
    } catch (error) {
      const fields = error instanceof CallError ? fieldMessages(error) : {}
      setWrong(fields)
      if (Object.keys(fields).length === 0) setProblem(error instanceof Error ? error.message : texts.resetFailed)
    }
    return setPending(false)
  })

  return (
    <PublicFrame title="Choose a new password">
      <form noValidate onSubmit={submit} className="flex flex-col gap-5">
        <p className="text-muted-foreground">
          Welcome, {user?.username}. Your password was set by someone else. Choose a new one.
        </p>
        <PasswordField
          label="Temporary password"
          autoComplete="current-password"
          autoFocus
          error={wrong['currentPassword']}
          value={currentPassword}
          onValue={setCurrent}
        />
        <PasswordField
          label="New password"
          autoComplete="new-password"
          error={wrong['newPassword']}
          help="At least 8 characters"
          value={newPassword}
          onValue={setNew}
        />
        <Strength password={newPassword} />
        {problem ? <Refusal text={problem} /> : null}
        <Button type="submit" variant="primary" size="lg" loading={isPending} className="w-full max-md:h-12">
          Set password and continue
        </Button>
        <Button variant="ghost" size="lg" onClick={signOut}>
          Use another account
        </Button>
      </form>
    </PublicFrame>
  )
}
