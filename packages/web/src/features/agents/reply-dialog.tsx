import type { CannedReply } from '@carillon/contract/inbox-settings'
import { useState, type FormEvent } from 'react'
import { cannedVariables, fillCanned, type CannedValues } from '../../lib/canned-text.ts'
import { useUser } from '../../lib/session.ts'
import { fieldMessages, unplacedMessage, useApi, useApiWrite } from '../../lib/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormRefusal } from '../../ui/form-refusal.tsx'
import { Input, Textarea } from '../../ui/input.tsx'
import { toast } from '../../ui/toast.tsx'

type ReplyDialogProps = {
  /** Absent for a new one. */
  reply?: CannedReply
  onClose: () => void
}

const explanations: Record<keyof CannedValues, string> = {
  name: 'the person’s name',
  number: 'the person’s number',
  agent: 'your name',
  organization: 'your organisation',
}

/** The shortcut and text of a canned reply, with a preview. */
export function ReplyDialog({ reply, onClose }: ReplyDialogProps) {
  const [shortcut, setShortcut] = useState(reply?.shortcut ?? '')
  const [text, setText] = useState(reply?.text ?? '')
  const save = useSave(reply, onClose)
  const errors = fieldMessages(save.error)

  function submit(event: FormEvent) {
    event.preventDefault()
    save.write({ shortcut: shortcut.trim().replace(/^\//, ''), text })
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="medium"
      title={reply ? `Edit /${reply.shortcut}` : 'New canned reply'}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="canned-reply" variant="primary" loading={save.isPending}>
            Save canned reply
          </Button>
        </>
      }
    >
      <form id="canned-reply" noValidate onSubmit={submit} className="flex flex-col gap-4 pb-1">
        <Field label="Shortcut" error={errors['shortcut']} help="Typed after / in a conversation.">
          <Input
            mono
            autoComplete="off"
            autoCapitalize="none"
            maxLength={41}
            leading={
              <span aria-hidden className="text-muted-foreground">
                /
              </span>
            }
            value={shortcut}
            onChange={({ target }) => setShortcut(target.value)}
          />
        </Field>
        <Field label="Text" error={errors['text']}>
          <Textarea rows={5} maxLength={4096} value={text} onChange={({ target }) => setText(target.value)} />
        </Field>
        <Variables onInsert={(name) => setText(`${text}{{${name}}}`)} />
        <Preview text={text} />
        <FormRefusal text={unplacedMessage(save.error, Object.keys(errors))} />
      </form>
    </Dialog>
  )
}

function Variables({ onInsert }: { onInsert: (name: keyof CannedValues) => void }) {
  return (
    <ul className="flex flex-wrap gap-2">
      {cannedVariables.map((name) => (
        <li key={name}>
          <Button size="tool" onClick={() => onInsert(name)}>
            <span className="font-mono tracking-normal">{`{{${name}}}`}</span>
            <span className="font-normal text-muted-foreground">{explanations[name]}</span>
          </Button>
        </li>
      ))}
    </ul>
  )
}

function Preview({ text }: { text: string }) {
  const profile = useApi('profile.details', {})
  const user = useUser()
  if (text.trim() === '') return null
  const values: CannedValues = {
    name: 'Asha Rao',
    number: '+91 98450 11102',
    agent: profile.data?.name ?? user?.username ?? '',
    organization: profile.data?.organization ?? '',
  }
  return (
    <section aria-label="Preview" className="flex flex-col gap-1.5">
      <h3 className="text-caption text-muted-foreground">Preview</h3>
      <p dir="auto" className="rounded-lg bg-brand-muted px-3 py-2 break-words whitespace-pre-line">
        {fillCanned(text, values)}
      </p>
    </section>
  )
}

type Body = { shortcut: string; text: string }

function useSave(reply: CannedReply | undefined, onClose: () => void) {
  const options = {
    refreshes: ['cannedReplies.list'] as const,
    onSuccess({ shortcut }: CannedReply) {
      onClose()
      toast.success(`/${shortcut} was saved`)
    },
  }
  const create = useApiWrite('cannedReplies.create', options)
  const update = useApiWrite('cannedReplies.update', options)
  return {
    error: reply ? update.error : create.error,
    isPending: create.isPending || update.isPending,
    write(body: Body) {
      if (reply) update.mutate({ path: { id: reply.id }, body })
      else create.mutate({ body })
    },
  }
}
