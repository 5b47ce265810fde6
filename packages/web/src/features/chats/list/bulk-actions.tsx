import { AlarmClock, Check, MailOpen, UserRoundPlus, X, type LucideIcon } from 'lucide-react'
import { IconButton } from '../../../ui/button.tsx'

type BulkActionsProps = {
  count: number
  onAssign: () => void
  onResolve: () => void
  onUnread: () => void
  onSnooze: () => void
  onClear: () => void
}

/** Actions for the selected conversations, in place of the hints. */
export function BulkActions({ count, onAssign, onResolve, onUnread, onSnooze, onClear }: BulkActionsProps) {
  return (
    <section
      aria-label="Selected conversations"
      className="flex h-12 shrink-0 items-center max-md:h-15 gap-0.5 border-t border-border bg-primary px-2 text-primary-foreground [&_button]:text-inherit [&_button]:hover:bg-[color-mix(in_oklab,var(--primary-foreground)_14%,transparent)]"
    >
      <span role="status" className="mr-auto pl-2 text-dense whitespace-nowrap tabular-nums">
        {count === 0 ? 'Select conversations' : `${count} selected`}
      </span>
      {count === 0 ? null : (
        <>
          <Act icon={UserRoundPlus} label="Assign" keyName="A" onPress={onAssign} />
          <Act icon={Check} label="Resolve" keyName="E" onPress={onResolve} />
          <Act icon={MailOpen} label="Mark as unread" keyName="U" onPress={onUnread} />
          <Act icon={AlarmClock} label="Snooze" keyName="S" onPress={onSnooze} />
        </>
      )}
      <Act icon={X} label="Clear the selection" keyName="Esc" onPress={onClear} />
    </section>
  )
}

type ActProps = { icon: LucideIcon; label: string; keyName: string; onPress: () => void }

function Act({ icon: Icon, label, keyName, onPress }: ActProps) {
  return (
    <IconButton label={label} keys={[keyName]} size="sm" onClick={onPress}>
      <Icon aria-hidden />
    </IconButton>
  )
}
