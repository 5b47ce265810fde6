import { channelTraits } from '@carillon/contract/channels/table'
import type { LineTemplate, ReplyContent } from '@carillon/contract/conversation-records'
import { useState, type FormEvent } from 'react'
import { channelLabel } from '../../channels/channel-mark.tsx'
import type { CallData } from '../../lib/call.ts'
import { typedPhone } from '../../lib/typed-phone.ts'
import { fieldMessages, useApi, useApiWrite } from '../../lib/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormRefusal } from '../../ui/form-refusal.tsx'
import { Input, Textarea } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { ReplyCost } from './composer/reply-cost.tsx'
import { TemplateChoice } from './composer/template-strip.tsx'
import { TemplateForm } from './composer/template-form.tsx'
import { takeConversations } from './state/use-inbox-list.ts'

type NewConversationDialogProps = { onStarted: (chatId: string) => void; onClose: () => void }

type Line = CallData<'conversations.lines'>['lines'][number]

/** Writes first to a number: with a template, or with a text where the channel allows it. */
export function NewConversationDialog({ onStarted, onClose }: NewConversationDialogProps) {
  const lines = useApi('conversations.lines', {}, { staleTime: 60_000 })
  const [lineId, setLineId] = useState('')
  const [number, setNumber] = useState('')
  const all = lines.data?.lines ?? []
  const line = all.find(({ _id }) => _id === lineId) ?? onlyOf(all)
  const phoneNumber = typedPhone(number)
  const { wrong, refusal, isPending, send } = useStart({ line, phoneNumber, onStarted })
  return (
    <Dialog open onOpenChange={onClose} title="New conversation" width="medium">
      <div className="flex flex-col gap-4">
        {lines.error ? <Notice tone="bad">{lines.error.message}</Notice> : null}
        {lines.data && all.length === 0 ? (
          <Notice tone="info">Connect a channel before you write to customers.</Notice>
        ) : null}
        <Field label="From" error={wrong['lineId']}>
          <Select
            value={line?._id ?? ''}
            placeholder="Choose a line"
            options={all.map(({ _id, name, channel }) => ({ value: _id, label: `${name} · ${channelLabel(channel)}` }))}
            onValueChange={setLineId}
          />
        </Field>
        <Field label="Phone number" error={wrong['phoneNumber']}>
          <Input
            type="tel"
            inputMode="tel"
            autoComplete="off"
            placeholder="+91 98765 43210"
            maxLength={24}
            value={number}
            onChange={({ target }) => setNumber(target.value)}
          />
        </Field>
        {line && channelTraits[line.channel].hasServiceWindow ? (
          <FirstTemplate key={line._id} line={line} isPending={isPending} onSend={send} />
        ) : (
          <FirstText
            line={line}
            phoneNumber={phoneNumber}
            error={wrong['content'] ?? wrong['content.text']}
            isPending={isPending}
            onSend={send}
            onCancel={onClose}
          />
        )}
        <FormRefusal text={refusal} />
      </div>
    </Dialog>
  )
}

/** The only line needs not be chosen. */
function onlyOf(lines: readonly Line[]): Line | undefined {
  return lines.length === 1 ? lines[0] : undefined
}

type Start = { line: Line | undefined; phoneNumber: string; onStarted: (chatId: string) => void }

function useStart({ line, phoneNumber, onStarted }: Start) {
  const [clientId] = useState(() => crypto.randomUUID())
  const [missing, setMissing] = useState<Record<string, string>>({})
  const start = useApiWrite('conversations.start', {
    refreshes: ['conversations.counts'],
    onSuccess({ conversation }) {
      takeConversations([conversation])
      onStarted(conversation.chatId)
    },
  })
  const wrong = { ...fieldMessages(start.error), ...missing }

  function send(content: ReplyContent) {
    const problems = {
      ...(line ? {} : { lineId: 'Choose a line' }),
      ...(phoneNumber === '' ? { phoneNumber: 'Enter a phone number' } : {}),
      ...(content.type === 'text' && content.text === '' ? { content: 'Write a message' } : {}),
    }
    setMissing(problems)
    if (line && Object.keys(problems).length === 0)
      start.mutate({ body: { lineId: line._id, phoneNumber, clientId, content } })
  }
  const refusal = Object.keys(wrong).length === 0 ? start.error?.message : undefined
  return { wrong, refusal, isPending: start.isPending, send }
}

type FirstTemplateProps = { line: Line; isPending: boolean; onSend: (content: ReplyContent) => void }

function FirstTemplate({ line, isPending, onSend }: FirstTemplateProps) {
  const [template, setTemplate] = useState<LineTemplate>()
  return (
    <section aria-label="Template" className="rounded-md border border-border bg-card">
      {template ? (
        <TemplateForm
          conversation={{ channel: line.channel, line, name: '' }}
          template={template}
          loading={isPending}
          onSend={(values) => onSend({ type: 'template', templateId: template._id, values })}
          onBack={() => setTemplate(undefined)}
        />
      ) : (
        <TemplateChoice lineId={line._id} onChoose={setTemplate} />
      )}
    </section>
  )
}

type FirstTextProps = {
  line: Line | undefined
  phoneNumber: string
  error: string | undefined
  isPending: boolean
  onSend: (content: ReplyContent) => void
  onCancel: () => void
}

function FirstText({ line, phoneNumber, error, isPending, onSend, onCancel }: FirstTextProps) {
  const [text, setText] = useState('')
  function submit(event: FormEvent) {
    event.preventDefault()
    onSend({ type: 'text', text: text.trim() })
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <Field label="Message" error={error}>
        <Textarea rows={4} maxLength={4096} value={text} onChange={({ target }) => setText(target.value)} />
      </Field>
      <div className="flex items-center justify-end gap-2">
        {line ? <ReplyCost conversation={{ channel: line.channel, phoneNumber }} text={text} /> : null}
        <Button className="ml-auto" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" loading={isPending}>
          Send message
        </Button>
      </div>
    </form>
  )
}
