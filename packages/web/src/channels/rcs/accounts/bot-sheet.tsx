import type { RcsBot } from '@carillon/contract/channels/rcs/rcs-bots'
import { RotateCw, X } from 'lucide-react'
import { useState, type FormEvent, type ReactNode } from 'react'
import { mayCall } from '../../../lib/call.ts'
import { useApiWrite } from '../../../lib/use-api.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Copyable } from '../../../ui/copyable.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Pill } from '../../../ui/pill.tsx'
import { Sheet } from '../../../ui/sheet.tsx'
import { When } from '../../../ui/text.tsx'
import { toast } from '../../../ui/toast.tsx'
import { brandOfBot } from './bot-brand.ts'
import { BotPagePhone } from './bot-page-phone.tsx'
import { launchLabels } from './bot-steps.ts'
import { StepLine } from './step-line.tsx'

const changed = ['bots.own', 'bots.list', 'bots.all'] as const
const failed = { onError: ({ message }: { message: string }) => toast.error(message) }

type BotSheetProps = { bot: RcsBot; actions?: ReactNode; onClose: () => void }

/** A bot with its brand on a phone, operators, testers and callbacks. */
export function BotSheet({ bot, actions, onClose }: BotSheetProps) {
  const sync = useApiWrite('bots.sync', { refreshes: changed, ...failed })
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()} title={bot.name} width="wide">
      <div className="flex flex-1 flex-col gap-6 overflow-y-auto p-5">
        <Problems bot={bot} />
        <StepLine bot={bot} />
        <BotPagePhone brand={brandOfBot(bot)} />
        {bot.botId ? (
          <Part title="Bot">
            <Copyable text={bot.botId} label="Copy bot id" />
            <p className="text-dense text-muted-foreground">
              {bot.providerLabel} · read <When at={bot.checkedAt} />
            </p>
            <div className="flex flex-wrap gap-2">
              {bot.isManaged && mayCall('bots.sync') ? (
                <Button size="sm" loading={sync.isPending} onClick={() => sync.mutate({ path: { id: bot._id } })}>
                  <RotateCw aria-hidden /> Refresh
                </Button>
              ) : null}
              {actions}
            </div>
          </Part>
        ) : (
          actions
        )}
        {bot.botId ? <Launches bot={bot} /> : null}
        {bot.botId ? <Testers bot={bot} /> : null}
        {bot.botId && mayCall('bots.test') ? <TestMessage bot={bot} /> : null}
        <Callbacks webhook={bot.webhook} />
      </div>
    </Sheet>
  )
}

function Problems({ bot: { failure, lane, reason } }: { bot: RcsBot }) {
  const stopped = lane?.status === 'stopped' ? lane.lastError?.message : undefined
  const problems = [failure, stopped, reason === null ? undefined : `Rejected: ${reason}`]
  return problems.map((problem) =>
    problem ? (
      <Notice key={problem} tone="bad">
        {problem}
      </Notice>
    ) : null,
  )
}

function Callbacks({ webhook }: Pick<RcsBot, 'webhook'>) {
  if (!webhook) return null
  return (
    <Part title="Callbacks">
      <Pill tone={webhook.isVerified ? 'good' : 'care'}>{webhook.isVerified ? 'Verified' : 'Not verified'}</Pill>
      <Copyable text={webhook.callbackUrl} label="Copy callback URL" />
    </Part>
  )
}

export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col items-start gap-2">
      <h3 className="font-semibold">{title}</h3>
      {children}
    </section>
  )
}

function Launches({ bot }: { bot: RcsBot }) {
  return (
    <Part title="Operators">
      {bot.launches.length === 0 ? (
        <p className="text-muted-foreground">Not launched yet: only testers receive messages.</p>
      ) : (
        <ul className="w-full">
          {bot.launches.map(({ country, carrier, state, at, note }) => (
            <li key={`${country}${carrier}`} className="flex flex-wrap items-center gap-2 border-b border-line py-2">
              <span className="min-w-32 flex-1">
                {carrier} {country ? <span className="text-muted-foreground">{country}</span> : null}
              </span>
              <Pill tone={launchLabels[state].tone}>{launchLabels[state].label}</Pill>
              <When at={at} />
              {note ? <p className="basis-full text-dense text-muted-foreground">{note}</p> : null}
            </li>
          ))}
        </ul>
      )}
    </Part>
  )
}

const testerLabels = { pending: 'Invited', accepted: 'Accepted', declined: 'Declined', unknown: 'Added' } as const

function Testers({ bot }: { bot: RcsBot }) {
  const [number, setNumber] = useState('')
  const add = useApiWrite('bots.addTester', { refreshes: changed, onSuccess: () => setNumber('') })
  const remove = useApiWrite('bots.removeTester', { refreshes: changed, ...failed })
  function submit(event: FormEvent) {
    event.preventDefault()
    add.mutate({ path: { id: bot._id }, body: { phoneNumber: number.replaceAll(/[\s()-]/g, '') } })
  }
  return (
    <Part title="Test phones">
      <ul className="w-full">
        {bot.testers.map(({ phoneNumber, state }) => (
          <li key={phoneNumber} className="flex items-center gap-2 border-b border-line py-1">
            <span className="flex-1 tabular-nums">{phoneNumber}</span>
            <span className="text-dense text-muted-foreground">{testerLabels[state]}</span>
            {mayCall('bots.removeTester') ? (
              <IconButton
                label={`Remove ${phoneNumber}`}
                onClick={() => remove.mutate({ path: { id: bot._id, number: phoneNumber } })}
              >
                <X aria-hidden />
              </IconButton>
            ) : null}
          </li>
        ))}
      </ul>
      {mayCall('bots.addTester') ? (
        <form onSubmit={submit} noValidate className="flex w-full items-end gap-2">
          <Field label="Phone number" error={add.error?.message} help="20 a day, 200 in all" className="flex-1">
            <Input inputMode="tel" value={number} onChange={({ target }) => setNumber(target.value)} />
          </Field>
          <Button type="submit" loading={add.isPending}>
            Invite
          </Button>
        </form>
      ) : null}
    </Part>
  )
}

function TestMessage({ bot }: { bot: RcsBot }) {
  const [number, setNumber] = useState(bot.testers.find(({ state }) => state === 'accepted')?.phoneNumber ?? '')
  const [text, setText] = useState('A test message')
  const send = useApiWrite('bots.test', { onSuccess: () => toast.success('Sent: it is charged as any message') })
  function submit(event: FormEvent) {
    event.preventDefault()
    send.mutate({ path: { id: bot._id }, body: { phoneNumber: number.replaceAll(/[\s()-]/g, ''), text } })
  }
  return (
    <Part title="Test message">
      <form onSubmit={submit} noValidate className="flex w-full flex-col gap-3">
        <Field label="To" error={send.error?.message}>
          <Input inputMode="tel" value={number} onChange={({ target }) => setNumber(target.value)} />
        </Field>
        <Field label="Message">
          <Input value={text} maxLength={3072} onChange={({ target }) => setText(target.value)} />
        </Field>
        <Button type="submit" className="self-start" disabled={!bot.isActive} loading={send.isPending}>
          Send test
        </Button>
        {bot.isActive ? null : <p className="text-dense text-muted-foreground">Switch the bot on first.</p>}
      </form>
    </Part>
  )
}
