import { useNavigate } from '@tanstack/react-router'
import { areaPrefix } from '../../lib/areas.ts'
import { closeSecurityAlert } from '../../lib/security-alert.ts'
import { isExpired, signOut, useUser } from '../../lib/session.ts'
import { Button } from '../../ui/plain-button.tsx'
import { LoginForm } from './login-form.tsx'
import { PublicFrame } from './public-frame.tsx'
import { texts } from './texts.ts'

/** The login page. */
export function LoginPage() {
  const user = useUser()
  const signedIn = user && !isExpired(user) ? user : undefined
  return (
    <PublicFrame title={texts.title}>
      {signedIn ? <AlreadyIn username={signedIn.username} home={areaPrefix[signedIn.type]} /> : <LoginForm />}
    </PublicFrame>
  )
}

/** A signed-in user redirected here by the guard need not sign in again. */
function AlreadyIn({ username, home }: { username: string; home: string }) {
  const navigate = useNavigate()
  return (
    <div className="flex flex-col gap-5">
      <p className="text-muted-foreground">
        You are signed in as <b className="text-foreground">{username}</b>.
      </p>
      <Button
        variant="primary"
        size="lg"
        onClick={() => {
          closeSecurityAlert()
          void navigate({ to: home, replace: true })
        }}
      >
        Go to your home
      </Button>
      <Button variant="ghost" size="lg" onClick={signOut}>
        Use another account
      </Button>
    </div>
  )
}
