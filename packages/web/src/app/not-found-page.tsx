import { Link, useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { areaPrefix } from '../lib/areas.ts'
import { isExpired, useUser } from '../lib/session.ts'
import { Button } from '../ui/plain-button.tsx'
import { linkClass } from '../ui/link-class.ts'
import { closestScreen } from './closest-screen.ts'
import { texts } from './texts.ts'
import { nameTab } from '../lib/title.ts'
import { ScreenSpinner } from './screen-spinner.tsx'

// Anonymous visitors do not load the shell.
const Shell = lazy(async () => ({ default: (await import('./shell/shell.tsx')).Shell }))

/** A path outside every area: inside the shell if signed in, else on a bare page. */
export function NotFoundPage() {
  const user = useUser()
  if (!user || user.isFirstLogin || isExpired(user)) {
    return (
      <main className="grid min-h-dvh">
        <NotFound />
      </main>
    )
  }
  return (
    <Suspense fallback={<ScreenSpinner />}>
      <Shell>
        <NotFound />
      </Shell>
    </Suspense>
  )
}

export function NotFound() {
  const user = useUser()
  const router = useRouter()
  const home = user ? areaPrefix[user.type] : '/'
  const guess = user ? closestScreen(window.location.pathname, user.type) : undefined
  useEffect(() => {
    nameTab(texts.notFound.title)
  }, [])

  return (
    <div className="grid flex-1 place-items-center p-6">
      <div className="flex max-w-110 flex-col items-center gap-3 text-center">
        <p aria-hidden className="font-mono text-dense tracking-normal text-muted-foreground">
          404
        </p>
        <h1 tabIndex={-1} className="text-display font-semibold outline-none">
          {texts.notFound.title}
        </h1>
        <p className="text-muted-foreground">{texts.notFound.body}</p>
        {guess ? (
          <p>
            Did you mean{' '}
            <Link to={guess.address} className={linkClass}>
              {guess.title}
            </Link>
            ?
          </p>
        ) : null}
        <div className="mt-4 flex gap-2">
          <Button variant="primary" asChild>
            <Link to={home}>{user ? 'Go to your home' : 'Go to the login'}</Link>
          </Button>
          <Button onClick={() => router.history.back()}>Go back</Button>
        </div>
      </div>
    </div>
  )
}
