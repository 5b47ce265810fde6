import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { call, type CallData } from '../../lib/call.ts'
import { useSingleRun } from '../../lib/use-single-run.ts'
import { Button } from '../../ui/plain-button.tsx'
import { isWhole } from './link-token.ts'
import { PublicFrame } from './public-frame.tsx'
import { Refusal } from './refusal.tsx'
import { texts } from './texts.ts'

const words = {
  confirm: {
    title: 'Confirm your email address',
    action: 'Confirm email address',
    endpoint: 'emailChange.confirm',
    doneTitle: 'Email address confirmed',
    done: 'Log in with the new address from now on. For 24 hours the password can’t be reset by email.',
  },
  refuse: {
    title: 'Keep your email address',
    action: 'Keep current address',
    endpoint: 'emailChange.refuse',
    doneTitle: 'Your email address stays the same',
    done: 'The change was cancelled. If you didn’t ask for it, change your password.',
  },
  undo: {
    title: 'Undo the change of your email address',
    action: 'Undo the change',
    endpoint: 'emailChange.refuse',
    doneTitle: 'The change was undone',
    done: 'All sessions were signed out and the password was disabled. We emailed you a link to set a new one.',
  },
} as const

type Kind = keyof typeof words

/** Target of links in mails about an address change. Nothing happens before the button is pressed, since mail scanners open links too. */
export function EmailLinkPage({ token }: { token: string }) {
  const [done, setDone] = useState<Kind>()
  const [details, problem] = useDetails(token)
  if (done) return <Done kind={done} />
  if (!isWhole(token)) return <Failed text={texts.linkIncomplete} />
  if (problem) return <Failed text={problem} />
  if (!details)
    return (
      <PublicFrame title="Email address">
        <p role="status" className="text-muted-foreground">
          Checking the link…
        </p>
      </PublicFrame>
    )
  const { kind, username = '', oldEmail = '', newEmail = '' } = details
  if (kind === 'gone') return <Failed text={texts.linkOver} />
  return (
    <PublicFrame title={words[kind].title}>
      <div className="flex flex-col gap-5">
        <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5 [&_dd]:[overflow-wrap:anywhere] [&_dt]:text-muted-foreground">
          <dt>Account</dt>
          <dd>{username}</dd>
          <dt>{kind === 'undo' ? 'Previous address' : 'Current address'}</dt>
          <dd>{oldEmail}</dd>
          <dt>New address</dt>
          <dd>{newEmail}</dd>
        </dl>
        <Act kind={kind} token={token} onDone={() => setDone(kind)} />
      </div>
    </PublicFrame>
  )
}

type Details = CallData<'emailChange.details'>

function useDetails(token: string): [Details | undefined, string | undefined] {
  const [details, setDetails] = useState<Details>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    if (!isWhole(token)) return undefined
    const asking = new AbortController()
    call('emailChange.details', { body: { token } }, { signal: asking.signal }).then(setDetails, (error: unknown) => {
      if (!asking.signal.aborted) setProblem(error instanceof Error ? error.message : texts.linkOver)
    })
    return () => asking.abort()
  }, [token])
  return [details, problem]
}

function Act({ kind, token, onDone }: { kind: Kind; token: string; onDone: () => void }) {
  const [isPending, setPending] = useState(false)
  const [problem, setProblem] = useState<string>()
  const act = useSingleRun(token, async () => {
    setPending(true)
    setProblem(undefined)
    try {
      await call(words[kind].endpoint, { body: { token } })
      return onDone()
    } catch (error) {
      setProblem(error instanceof Error ? error.message : texts.linkOver)
    }
    return setPending(false)
  })
  return (
    <>
      {problem ? <Refusal text={problem} /> : null}
      <Button variant="primary" size="lg" loading={isPending} className="w-full max-md:h-12" onClick={act}>
        {words[kind].action}
      </Button>
    </>
  )
}

function Done({ kind }: { kind: Kind }) {
  return (
    <PublicFrame title={words[kind].doneTitle}>
      <div className="flex flex-col gap-5">
        <p className="text-muted-foreground">{words[kind].done}</p>
        <ToLogin />
      </div>
    </PublicFrame>
  )
}

function Failed({ text }: { text: string }) {
  return (
    <PublicFrame title="Email address">
      <div className="flex flex-col gap-5">
        <Refusal text={text} />
        <ToLogin />
      </div>
    </PublicFrame>
  )
}

function ToLogin() {
  const navigate = useNavigate()
  return (
    <Button variant="primary" size="lg" onClick={() => void navigate({ to: '/' })}>
      Go to login
    </Button>
  )
}
