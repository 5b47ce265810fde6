import { botLimits } from '@carillon/contract/channels/rcs/rcs-bot-details'
import type { BotTester, RcsBot } from '@carillon/contract/channels/rcs/rcs-bots'
import { CircleCheck, CircleX, Clock, X, type LucideIcon } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { mayCall } from '../../../lib/call.ts'
import { formatPhone } from '../../../lib/format.ts'
import { useApiWrite } from '../../../lib/use-api.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Pill, type Tone } from '../../../ui/pill.tsx'
import { toast } from '../../../ui/toast.tsx'
import { Part } from './part.tsx'

const changed = ['bots.own', 'bots.list', 'bots.all'] as const

const looks: Record<BotTester['state'], { label: string; tone: Tone; icon: LucideIcon }> = {
  pending: { label: 'Invited', tone: 'info', icon: Clock },
  accepted: { label: 'Accepted', tone: 'good', icon: CircleCheck },
  declined: { label: 'Declined', tone: 'bad', icon: CircleX },
  unknown: { label: 'Added', tone: 'neutral', icon: Clock },
}

const numberIn = (text: string) => text.replaceAll(/[\s()-]/g, '')

/** Phones that receive messages before the launch. */
export function Testers({ bot }: { bot: RcsBot }) {
  const remove = useApiWrite('bots.removeTester', {
    refreshes: changed,
    onError: ({ message }) => toast.error(message),
  })
  const mayInvite = mayCall('bots.addTester')
  if (bot.testers.length === 0 && !mayInvite) return null
  return (
    <Part
      title="Test phones"
      help={`They accept an invitation and receive messages before the launch. At most ${botLimits.testersPerDay} invitations a day, ${botLimits.testers} phones.`}
    >
      {bot.testers.length > 0 ? (
        <ul className="w-full border-t border-border">
          {bot.testers.map(({ phoneNumber, state }) => {
            const { label, tone, icon } = looks[state]
            return (
              <li key={phoneNumber} className="flex min-h-10 items-center gap-3 border-b border-line">
                <span className="flex-1 tabular-nums">{formatPhone(phoneNumber)}</span>
                <Pill tone={tone} icon={icon}>
                  {label}
                </Pill>
                {mayCall('bots.removeTester') ? (
                  <IconButton
                    size="sm"
                    label={`Remove ${formatPhone(phoneNumber)}`}
                    disabled={remove.isPending}
                    onClick={() => remove.mutate({ path: { id: bot._id, number: phoneNumber } })}
                  >
                    <X aria-hidden />
                  </IconButton>
                ) : null}
              </li>
            )
          })}
        </ul>
      ) : null}
      {mayInvite ? <Invitation id={bot._id} /> : null}
    </Part>
  )
}

function Invitation({ id }: { id: string }) {
  const [number, setNumber] = useState('')
  const add = useApiWrite('bots.addTester', { refreshes: changed, onSuccess: () => setNumber('') })
  function submit(event: FormEvent) {
    event.preventDefault()
    add.mutate({ path: { id }, body: { phoneNumber: numberIn(number) } })
  }
  return (
    <form onSubmit={submit} noValidate className="w-full max-w-96">
      <Field label="Invite a phone" error={add.error?.message}>
        <span className="flex gap-2">
          <Input
            inputMode="tel"
            autoComplete="off"
            placeholder="+91 98765 43210"
            value={number}
            onChange={({ target }) => setNumber(target.value)}
          />
          <Button type="submit" loading={add.isPending}>
            Invite
          </Button>
        </span>
      </Field>
    </form>
  )
}

/** A text to one phone: a test phone, or any once the bot is launched. */
export function TestMessage({ bot }: { bot: RcsBot }) {
  const accepted = bot.testers.find(({ state }) => state === 'accepted')?.phoneNumber
  const [typed, setNumber] = useState<string>()
  const number = typed ?? (accepted ? formatPhone(accepted) : '')
  const [text, setText] = useState('A test message')
  const send = useApiWrite('bots.test', { onSuccess: () => toast.success('Test sent: it is charged like any message') })
  function submit(event: FormEvent) {
    event.preventDefault()
    send.mutate({ path: { id: bot._id }, body: { phoneNumber: numberIn(number), text } })
  }
  return (
    <Part title="Test message" help={bot.isActive ? undefined : 'Switch the bot on to send a test message.'}>
      <form onSubmit={submit} noValidate className="flex w-full flex-col gap-3">
        <div className="grid gap-3 sm:grid-cols-[12rem_1fr]">
          <Field label="To" error={send.error?.message}>
            <Input
              inputMode="tel"
              autoComplete="off"
              placeholder="+91 98765 43210"
              value={number}
              onChange={({ target }) => setNumber(target.value)}
            />
          </Field>
          <Field label="Message">
            <Input value={text} maxLength={3072} onChange={({ target }) => setText(target.value)} />
          </Field>
        </div>
        <Button type="submit" className="self-start" disabled={!bot.isActive} loading={send.isPending}>
          Send test
        </Button>
      </form>
    </Part>
  )
}
