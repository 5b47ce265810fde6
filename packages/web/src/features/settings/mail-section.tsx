import type { MailStatus, TestMail } from '@carillon/contract/mail'
import { Send } from 'lucide-react'
import { formatDateTime } from '../../lib/format.ts'
import { useUser } from '../../lib/session.ts'
import { useApi, useApiWrite } from '../../lib/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Pill, type Tone } from '../../ui/pill.tsx'
import { Region } from '../../ui/region.tsx'
import { SettingRow } from '../../ui/setting-row.tsx'

/** Whether mails are sent, the last result, and a test mail. */
export function MailSection() {
  const status = useApi('mail.status', {})
  return (
    <Region read={status} label="the mail settings" lines={5}>
      {(data) => <MailState status={data} />}
    </Region>
  )
}

const modes: Record<MailStatus['mode'], { label: string; tone: Tone; detail: string }> = {
  server: { label: 'Configured', tone: 'good', detail: 'Emails are sent through the mail server below' },
  mailbox: { label: 'Demo mailbox', tone: 'info', detail: 'Emails are stored here and shown at /dev/mail' },
  none: {
    label: 'Not configured',
    tone: 'care',
    detail: 'No email is sent. Set SMTP_URL and MAIL_FROM, then restart the server',
  },
}

function MailState({ status }: { status: MailStatus }) {
  const { mode, server, from, lastSuccess, lastFailure } = status
  const { label, tone, detail } = modes[mode]
  return (
    <section aria-label="Mail" className="flex flex-col">
      <SettingRow title="Mail" detail={detail}>
        {mode === 'mailbox' ? (
          <Button size="sm" asChild>
            <a href="/dev/mail" target="_blank" rel="noreferrer">
              Open the mailbox
            </a>
          </Button>
        ) : null}
        <Pill tone={tone}>{label}</Pill>
      </SettingRow>
      {server ? (
        <SettingRow title="Server" detail={server.isEncrypted ? 'TLS' : 'STARTTLS if offered'}>
          <Fact>
            {server.host}:{server.port}
          </Fact>
        </SettingRow>
      ) : null}
      <SettingRow title="From" detail="Used unless a brand has its own sender address">
        <Fact>{from}</Fact>
      </SettingRow>
      {mode === 'server' ? (
        <>
          <Last title="Last success" mail={lastSuccess} none="No mail was accepted in the last 30 days" />
          <Last title="Last failure" mail={lastFailure} none="No mail failed in the last 30 days" />
        </>
      ) : null}
      <Test mode={mode} />
    </section>
  )
}

function Fact({ children }: { children: React.ReactNode }) {
  return <span className="min-w-0 font-mono text-dense break-all">{children}</span>
}

type LastProps = { title: string; mail: MailStatus['lastSuccess']; none: string }

function Last({ title, mail, none }: LastProps) {
  return (
    <SettingRow title={title} detail={mail ? `${mail.subject}, to ${mail.to}` : none}>
      {mail ? (
        <span className="min-w-0 text-right max-md:w-full max-md:text-left">
          <span className="block text-dense tabular-nums">{formatDateTime(mail.at)}</span>
          {mail.response ? <Fact>{mail.response}</Fact> : null}
        </span>
      ) : null}
    </SettingRow>
  )
}

function Test({ mode }: { mode: MailStatus['mode'] }) {
  const email = useUser()?.email ?? 'your address'
  const test = useApiWrite('mail.test', { refreshes: ['mail.status'] })
  return (
    <>
      <SettingRow title="Test mail" detail={`To ${email}`}>
        <Button size="sm" disabled={mode === 'none'} loading={test.isPending} onClick={() => test.mutate({})}>
          <Send aria-hidden /> Send test mail
        </Button>
      </SettingRow>
      <div>
        {test.data && !test.isPending ? <Outcome test={test.data} /> : null}
        {test.error && !test.isPending ? <Notice tone="bad">{test.error.message}</Notice> : null}
      </div>
    </>
  )
}

const outcomes: Record<TestMail['outcome'], { tone: 'bad' | 'info'; title: (to: string) => string }> = {
  accepted: { tone: 'info', title: (to) => `The mail server accepted the test mail to ${to}.` },
  refused: { tone: 'bad', title: () => 'The mail server refused the test mail.' },
  unreachable: { tone: 'bad', title: () => 'The mail server could not be reached. Check SMTP_URL.' },
  timeout: { tone: 'bad', title: () => 'The mail server did not respond in time. Check host, port and firewall.' },
  kept: { tone: 'info', title: (to) => `The test mail to ${to} is in the demo mailbox.` },
}

function Outcome({ test: { outcome, response, to } }: { test: TestMail }) {
  const { tone, title } = outcomes[outcome]
  return (
    <Notice tone={tone}>
      <b className="font-semibold">{title(to)}</b>
      {outcome === 'kept' ? null : <span className="mt-1 block font-mono text-dense break-all">{response}</span>}
    </Notice>
  )
}
