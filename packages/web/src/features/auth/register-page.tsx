import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { call, type CallData } from '../../lib/call.ts'
import { rememberName } from '../../lib/remembered-place.ts'
import { Button } from '../../ui/plain-button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { linkClass } from '../../ui/link-class.ts'
import { Greeting } from './greeting.tsx'
import { readLinkToken } from './link-token.ts'
import { PublicFrame } from './public-frame.tsx'
import { Refusal } from './refusal.tsx'
import { RegisterForm, type Newcomer } from './register-form.tsx'
import { texts } from './texts.ts'

type Offer = CallData<'auth.registration'>
type Made = { email: string; isPending: boolean }

/** Creates an account: by self-registration, by invitation, or as the first admin of an empty installation. */
export function RegisterPage() {
  const [token] = useState(() => readLinkToken('account'))
  const [offer, problem] = useOffer(token)
  const [newcomer, setNewcomer] = useState<Newcomer>({ organization: '', name: '' })
  const [made, setMade] = useState<Made>()
  const refusal = problem ?? (token && offer?.kind === 'closed' ? texts.invitationOver : undefined)

  return (
    <PublicFrame title={titleOf(offer)} aside={<Greeting {...newcomer} />}>
      {made ? (
        <Created {...made} />
      ) : refusal ? (
        <Refused text={refusal} />
      ) : !offer ? (
        <Spinner className="size-6!" />
      ) : offer.kind === 'closed' ? (
        <Closed />
      ) : (
        <RegisterForm offer={offer} token={token} onTyped={setNewcomer} onMade={setMade} />
      )}
    </PublicFrame>
  )
}

function titleOf(offer: Offer | undefined): string {
  if (offer?.kind === 'first_admin') return 'Create the first admin'
  if (offer?.kind === 'invitation') return `Join ${offer.organization ?? 'Carillon'}`
  return 'Create your account'
}

/** The purpose of the link. */
function useOffer(token: string | undefined): [Offer | undefined, string | undefined] {
  const [offer, setOffer] = useState<Offer>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    const asking = new AbortController()
    call('auth.registration', { body: token ? { token } : {} }, { signal: asking.signal }).then(
      setOffer,
      (error: unknown) => {
        if (!asking.signal.aborted) setProblem(error instanceof Error ? error.message : 'An unexpected error occurred')
      },
    )
    return () => asking.abort()
  }, [token])
  return [offer, problem]
}

function Created({ email, isPending }: Made) {
  return (
    <div className="flex flex-col gap-5">
      <p className="rounded-lg bg-success-muted px-3.5 py-3 text-success-text" role="status">
        {isPending ? 'Account created. We’ll email you once it’s approved.' : `Account created. Log in with ${email}.`}
      </p>
      <Button variant="primary" size="lg" asChild>
        <Link to="/" onClick={() => rememberName(email)}>
          Go to the login
        </Link>
      </Button>
    </div>
  )
}

function Refused({ text }: { text: string }) {
  return (
    <div className="flex flex-col gap-5">
      <Refusal text={text} />
      <BackToLogin />
    </div>
  )
}

function Closed() {
  return (
    <div className="flex flex-col gap-5">
      <p className="text-muted-foreground">
        Accounts are created by invitation here. Ask the administrator of this installation, or your account manager.
      </p>
      <BackToLogin />
    </div>
  )
}

function BackToLogin() {
  return (
    <p className="text-center">
      <Link to="/" className={linkClass}>
        Back to login
      </Link>
    </p>
  )
}
