import type { SmsAccount } from '@carillon/contract/channels/sms/sms-accounts'
import { countSmsParts } from '@carillon/contract/channels/sms/sms-parts'
import { Send } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { MessageFate } from '../../message-fate.tsx'
import { countOf } from '../../../lib/format.ts'
import { fieldMessages, useApiWrite } from '../../../lib/use-api.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input, Textarea } from '../../../ui/input.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Select } from '../../../ui/select.tsx'

/** Sends a real message through the account and shows its status. */
export function TestSend({ account }: { account: SmsAccount }) {
  const [phoneNumber, setPhoneNumber] = useState('+91')
  const [header, setHeader] = useState(account.headers[0] ?? '')
  const [text, setText] = useState('Test message')
  const send = useApiWrite('smsAccounts.test', { refreshes: ['balance.get'] })
  const errors = fieldMessages(send.error)
  const { parts } = countSmsParts(text)

  function submit(event: FormEvent) {
    event.preventDefault()
    send.mutate({
      path: { id: account._id },
      body: { phoneNumber: phoneNumber.replaceAll(/[\s-]/g, ''), header, text },
    })
  }

  if (!account.isActive) return <Notice tone="info">Activate the account to send a test.</Notice>
  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="To" error={errors['phoneNumber']}>
          <Input
            type="tel"
            value={phoneNumber}
            onChange={(event) => setPhoneNumber(event.target.value)}
            autoComplete="tel"
          />
        </Field>
        <Field label="Header" error={errors['header']}>
          <Select
            options={account.headers.map((name) => ({ value: name, label: name }))}
            value={header}
            onValueChange={setHeader}
          />
        </Field>
      </div>
      <Field label="Text" aside={countOf(parts, 'part')} error={errors['text']}>
        <Textarea rows={3} value={text} onChange={(event) => setText(event.target.value)} />
      </Field>
      {send.isError && Object.keys(errors).length === 0 ? <Notice tone="bad">{send.error.message}</Notice> : null}
      <div className="flex min-h-9 items-center gap-3">
        <Button type="submit" loading={send.isPending}>
          <Send aria-hidden /> Send test
        </Button>
        {send.data ? <MessageFate messageId={send.data.messageId} /> : null}
      </div>
    </form>
  )
}
