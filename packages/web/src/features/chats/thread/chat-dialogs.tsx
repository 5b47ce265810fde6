import type { Conversation } from '@carillon/contract/conversation-records'
import type { ConversationChange } from '@carillon/contract/conversations'
import { X } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { accountZone } from '../../../lib/format.ts'
import { instantIn, localIn } from '../../../lib/local-time.ts'
import { fieldMessages, useApi, useApiWrite } from '../../../lib/use-api.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog, Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormRefusal } from '../../../ui/form-refusal.tsx'
import { Input } from '../../../ui/input.tsx'
import { RadioGroup } from '../../../ui/radio.tsx'
import { toast } from '../../../ui/toast.tsx'
import { priorityNames } from '../chat-labels.ts'
import { formatMoment } from '../format-moment.ts'
import { timePresets } from '../state/snooze-times.ts'
import { serverNow } from '../state/server-clock.ts'
import { AgentPicker } from './assignee-menu.tsx'
import type { ChatDialog } from './use-conversation-menu.ts'

type ChatDialogsProps = {
  open: ChatDialog | undefined
  /** The conversation; undefined for several. */
  conversation: Conversation | undefined
  accountId: string | undefined
  onChange: (change: ConversationChange) => void
  onClose: () => void
}

export function ChatDialogs({ open, conversation, accountId, onChange, onClose }: ChatDialogsProps) {
  const done = (change: ConversationChange) => {
    onChange(change)
    onClose()
  }
  if (open === 'snooze') return <SnoozeDialog onSnooze={done} onClose={onClose} />
  if (open === 'assign') {
    return (
      <Dialog open onOpenChange={onClose} title="Assign" width="medium">
        <AgentPicker
          accountId={accountId}
          assigneeId={conversation?.assignee?._id}
          onPick={(assigneeId) => done({ assigneeId })}
        />
      </Dialog>
    )
  }
  if (!conversation) return null
  if (open === 'priority') return <PriorityDialog conversation={conversation} onChange={done} onClose={onClose} />
  if (open === 'labels') return <LabelsDialog conversation={conversation} onChange={done} onClose={onClose} />
  if (open === 'rename') return <RenameDialog conversation={conversation} onClose={onClose} />
  if (open === 'block') {
    return (
      <ConfirmDialog
        open
        onOpenChange={onClose}
        title={`Block ${conversation.name}`}
        description="Their messages no longer notify anyone, and nothing can be sent to them. You can unblock them at any time."
        action="Block"
        destructive
        onConfirm={() => done({ isBlocked: true })}
      />
    )
  }
  return null
}

type PartProps = {
  conversation: Conversation
  onChange: (change: ConversationChange) => void
  onClose: () => void
}

type SnoozeDialogProps = { onSnooze: (change: ConversationChange) => void; onClose: () => void }

function SnoozeDialog({ onSnooze, onClose }: SnoozeDialogProps) {
  const zone = accountZone()
  const [now] = useState(serverNow)
  const [note, setNote] = useState('')
  const [local, setLocal] = useState('')
  const [error, setError] = useState<string>()
  const snooze = (at?: Date) =>
    onSnooze({
      status: 'snoozed',
      ...(at ? { snoozedUntil: at.toISOString() } : {}),
      ...(note.trim() ? { snoozeNote: note.trim() } : {}),
    })

  function submit(event: FormEvent) {
    event.preventDefault()
    const at = local ? instantIn(local, zone) : undefined
    if (!at || at.getTime() <= serverNow()) return setError('Choose a time in the future')
    return snooze(at)
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Snooze"
      width="medium"
      description="A message from the customer ends it earlier."
    >
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <Field label="Note" hint="optional" help="Shown when the snooze ends.">
          <Input maxLength={200} value={note} onChange={({ target }) => setNote(target.value)} />
        </Field>
        <ul className="flex flex-col">
          {timePresets(now, zone).map(({ label, at }) => (
            <li key={label}>
              <PresetLine label={label} aside={at ? formatMoment(at.toISOString()) : ''} onPick={() => snooze(at)} />
            </li>
          ))}
          <li>
            <PresetLine label="Until the next message" onPick={() => snooze()} />
          </li>
        </ul>
        <div className="flex items-end gap-2">
          <Field label="Date and time" className="flex-1" error={error}>
            <Input
              type="datetime-local"
              min={localIn(now, zone)}
              value={local}
              onChange={({ target }) => {
                setLocal(target.value)
                setError(undefined)
              }}
            />
          </Field>
          <Button type="submit" variant="primary">
            Snooze
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

type PresetLineProps = { label: string; aside?: string; onPick: () => void }

export function PresetLine({ label, aside, onPick }: PresetLineProps) {
  return (
    <button
      type="button"
      onClick={onPick}
      className="flex min-h-9 w-full items-center justify-between gap-3 rounded-sm px-2 text-left hover:bg-accent pointer-coarse:min-h-11"
    >
      {label}
      {aside ? <span className="text-caption text-muted-foreground tabular-nums">{aside}</span> : null}
    </button>
  )
}

function PriorityDialog({ conversation, onChange, onClose }: PartProps) {
  return (
    <Dialog open onOpenChange={onClose} title="Priority" width="medium">
      <RadioGroup
        label="Priority"
        value={conversation.priority}
        choices={(['urgent', 'high', 'normal', 'low'] as const).map((value) => ({
          value,
          label: priorityNames[value],
        }))}
        // The choices are the priorities.
        onValueChange={(priority) => onChange({ priority: priority as Conversation['priority'] })}
      />
    </Dialog>
  )
}

function LabelsDialog({ conversation, onChange, onClose }: PartProps) {
  const [labels, setLabels] = useState(conversation.labels)
  const [typed, setTyped] = useState('')
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Labels"
      width="medium"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" onClick={() => onChange({ labels: withLabel(labels, typed) })}>
            Save labels
          </Button>
        </>
      }
    >
      <LabelsEditor labels={labels} onChange={setLabels} typed={typed} onTyped={setTyped} />
    </Dialog>
  )
}

type LabelsEditorProps = {
  labels: readonly string[]
  onChange: (labels: string[]) => void
  /** A label that is not in the list yet; saving adds it. */
  typed: string
  onTyped: (typed: string) => void
}

function withLabel(labels: readonly string[], typed: string): string[] {
  const label = typed.trim().slice(0, 60)
  return label === '' || labels.includes(label) || labels.length >= 20 ? [...labels] : [...labels, label]
}

/** The labels of a conversation; typing suggests those in use. */
function LabelsEditor({ labels, onChange, typed, onTyped }: LabelsEditorProps) {
  const search = typed.trim()
  const known = useApi('labels.list', { query: search ? { search } : {} }, { keepPrevious: true })
  const suggested = (known.data?.labels ?? []).filter((label) => !labels.includes(label)).slice(0, 8)

  function add(label: string) {
    onChange(withLabel(labels, label))
    onTyped('')
  }
  return (
    <div className="flex flex-col gap-3">
      {labels.length > 0 ? (
        <ul aria-label="Labels" className="flex flex-wrap gap-1.5">
          {labels.map((label) => (
            <li key={label} className="inline-flex h-7 max-w-full items-center rounded-sm bg-secondary pl-2 text-dense">
              <bdi className="truncate">{label}</bdi>
              <button
                type="button"
                aria-label={`Remove ${label}`}
                onClick={() => onChange(labels.filter((other) => other !== label))}
                className="grid size-7 shrink-0 place-items-center text-muted-foreground hover:text-foreground"
              >
                <X aria-hidden className="size-3.5" />
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      <Input
        aria-label="Add a label"
        placeholder="Add a label"
        maxLength={60}
        value={typed}
        onChange={({ target }) => onTyped(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          add(typed)
        }}
      />
      {suggested.length > 0 ? (
        <div className="flex flex-wrap gap-1.5">
          {suggested.map((label) => (
            <Button key={label} size="tool" onClick={() => add(label)}>
              <bdi className="max-w-48 truncate">{label}</bdi>
            </Button>
          ))}
        </div>
      ) : null}
    </div>
  )
}

function RenameDialog({ conversation, onClose }: Pick<PartProps, 'conversation' | 'onClose'>) {
  const [name, setName] = useState(conversation.name)
  const rename = useApiWrite('contacts.rename', {
    refreshes: ['contacts.get', 'conversations.get'],
    onSuccess() {
      toast.success('Contact renamed')
      onClose()
    },
  })
  const wrong = fieldMessages(rename.error)
  const submit = (value: string | null) =>
    rename.mutate({ path: { id: conversation.contactId }, body: { name: value } })
  return (
    <Dialog open onOpenChange={onClose} title="Rename contact" width="medium">
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          submit(name.trim())
        }}
      >
        <Field label="Name" error={wrong['name']} help="Your team sees this name on all channels.">
          <Input maxLength={120} value={name} onChange={({ target }) => setName(target.value)} />
        </Field>
        <FormRefusal text={wrong['name'] ? undefined : rename.error?.message} />
        <div className="flex justify-end gap-2">
          <Button onClick={() => submit(null)}>Use the reported name</Button>
          <Button type="submit" variant="primary" loading={rename.isPending} aria-disabled={name.trim() === ''}>
            Rename
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
