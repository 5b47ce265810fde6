import type { Conversation, ReplyContent } from '@carillon/contract/conversation-records'
import { CalendarCheck, ChevronDown, CornerDownLeft } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { accountZone, formatDateTime } from '../../../lib/format.ts'
import { instantIn, localIn } from '../../../lib/local-time.ts'
import { useApiWrite } from '../../../lib/use-api.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Keys } from '../../../ui/kbd.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { toast } from '../../../ui/toast.tsx'
import { formatMoment } from '../format-moment.ts'
import { serverNow } from '../state/server-clock.ts'
import { windowOf } from '../state/service-window.ts'
import { timePresets } from '../state/snooze-times.ts'
import { PresetLine } from '../thread/chat-dialogs.tsx'
import { useSendKey } from './send-key.ts'

type SendButtonProps = {
  conversation: Conversation
  content: ReplyContent | undefined
  disabled: boolean
  label?: string
  onSend: () => void
  onScheduled: () => void
}

/** Send, with a menu to send later and to choose the key that sends. */
export function SendButton({ conversation, content, disabled, label = 'Send', onSend, onScheduled }: SendButtonProps) {
  const [sendKey, setSendKey] = useSendKey()
  const [isScheduling, setScheduling] = useState(false)
  return (
    <span className="inline-flex">
      <Button
        variant="primary"
        size="sm"
        aria-disabled={disabled}
        className="rounded-r-none max-md:h-11 max-md:px-4.5"
        onClick={onSend}
      >
        {label}
        <span
          aria-hidden
          className="inline-flex gap-1 max-md:hidden [&_kbd]:border-transparent [&_kbd]:bg-[color-mix(in_oklab,var(--primary-foreground)_16%,transparent)] [&_kbd]:text-inherit"
        >
          {sendKey === 'enter' ? <CornerDownLeft className="size-3.5!" /> : <Keys names={['Mod', 'Enter']} />}
        </span>
      </Button>
      <Menu
        label="Sending options"
        side="top"
        items={[
          {
            label: 'Send later…',
            icon: CalendarCheck,
            disabled: disabled ? 'Write a message first' : undefined,
            onSelect: () => setScheduling(true),
          },
          'separator',
          { label: 'Enter sends', isCurrent: sendKey === 'enter', onSelect: () => setSendKey('enter') },
          {
            label: 'Ctrl or ⌘ Enter sends',
            isCurrent: sendKey === 'mod-enter',
            onSelect: () => setSendKey('mod-enter'),
          },
        ]}
        trigger={
          <button
            type="button"
            aria-label="Sending options"
            className="grid h-8 w-7 place-items-center rounded-r-md border-l border-[color-mix(in_oklab,var(--primary-foreground)_25%,transparent)] bg-primary text-primary-foreground max-md:h-11 max-md:w-11"
          >
            <ChevronDown aria-hidden className="size-3.5" />
          </button>
        }
      />
      {isScheduling && content ? (
        <ScheduleDialog
          conversation={conversation}
          content={content}
          onClose={() => setScheduling(false)}
          onScheduled={onScheduled}
        />
      ) : null}
    </span>
  )
}

type ScheduleDialogProps = {
  conversation: Conversation
  content: ReplyContent
  onClose: () => void
  onScheduled: () => void
}

function ScheduleDialog({ conversation, content, onClose, onScheduled }: ScheduleDialogProps) {
  const zone = accountZone()
  const [now] = useState(serverNow)
  const [local, setLocal] = useState('')
  const [endsOnAnswer, setEndsOnAnswer] = useState(true)
  const [error, setError] = useState<string>()
  const schedule = useApiWrite('conversations.schedule', {
    refreshes: ['conversations.get'],
    onSuccess({ sendAt }) {
      toast.success(`Scheduled for ${formatMoment(sendAt)}`)
      onScheduled()
      onClose()
    },
  })
  const at = (sendAt: Date) =>
    schedule.mutate({
      path: { id: conversation.chatId },
      body: { content, sendAt: sendAt.toISOString(), endsOnAnswer },
    })

  function submit(event: FormEvent) {
    event.preventDefault()
    const chosen = local ? instantIn(local, zone) : undefined
    if (!chosen || chosen.getTime() <= serverNow()) return setError('Choose a time in the future')
    return at(chosen)
  }
  const { windowExpiresAt } = conversation
  const hasWindow = windowOf(conversation, now).level !== 'none' && content.type !== 'template'
  return (
    <Dialog open onOpenChange={onClose} title="Send later" width="medium">
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <ul>
          {timePresets(now, zone).map(({ label, at: preset }) =>
            preset ? (
              <li key={label}>
                <PresetLine label={label} aside={formatMoment(preset.toISOString())} onPick={() => at(preset)} />
              </li>
            ) : null,
          )}
        </ul>
        <Field label="Date and time" error={error}>
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
        <Checkbox
          label="Cancel it if the customer writes first"
          checked={endsOnAnswer}
          onChange={({ target }) => setEndsOnAnswer(target.checked)}
        />
        {hasWindow && windowExpiresAt ? (
          <p className="text-dense text-muted-foreground">
            The 24-hour window closes on {formatDateTime(windowExpiresAt)}. After that only a template is sent.
          </p>
        ) : null}
        {schedule.error ? <Notice tone="bad">{schedule.error.message}</Notice> : null}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" loading={schedule.isPending}>
            Schedule
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
