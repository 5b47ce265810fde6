import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { areaPrefix } from '../../lib/areas.ts'
import { closeSecurityAlert } from '../../lib/security-alert.ts'
import { isExpired, signOut, useUser } from '../../lib/session.ts'
import { useIsWide } from '../../lib/use-is-mobile.ts'
import { Button } from '../../ui/plain-button.tsx'
import { Logo } from '../../ui/logo.tsx'
import { LoginForm } from './login-form.tsx'
import { texts } from './texts.ts'
import { nameTab } from '../../lib/title.ts'

const Proof = lazy(async () => ({ default: (await import('./proof.tsx')).Proof }))

/** The way in: the form, and on wide windows one sentence arriving on three channels. */
export function LoginPage() {
  const isWide = useIsWide()
  const user = useUser()
  const signedIn = user && !isExpired(user) ? user : undefined
  useEffect(() => {
    nameTab(texts.title)
  }, [])

  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(440px,1fr)_minmax(0,1.3fr)] xl:grid-cols-[minmax(520px,5fr)_minmax(0,9fr)]">
      <main className="flex min-h-dvh flex-col bg-card px-4 pt-5 pb-6 md:p-10">
        <div className="mx-auto flex w-full max-w-100 items-center gap-2.5">
          <Logo large />
          <b className="text-section font-semibold tracking-[-0.014em]">Carillon</b>
        </div>
        <div className="mx-auto mb-auto w-full max-w-100 pt-14 pb-10 md:pt-[clamp(48px,20vh,200px)]">
          <h1 className="mb-8 text-display font-semibold [word-spacing:0.08em]">{texts.title}</h1>
          {signedIn ? <AlreadyIn username={signedIn.username} home={areaPrefix[signedIn.type]} /> : <LoginForm />}
        </div>
        <footer className="mx-auto flex w-full max-w-100 gap-4 text-caption text-muted-foreground">
          <Link to="/privacy" className="hover:text-foreground">
            Privacy policy
          </Link>
          <Link to="/security" className="hover:text-foreground">
            Security and certifications
          </Link>
        </footer>
      </main>
      <aside
        aria-label="One message on three channels"
        className="grid place-items-center overflow-hidden border-l border-border bg-sunken p-8 max-lg:hidden"
      >
        {isWide ? (
          <Suspense>
            <Proof />
          </Suspense>
        ) : null}
      </aside>
    </div>
  )
}

/** A member who was sent here by the guard need not sign in again. */
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
