import { useUser } from '../../lib/session.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Keys } from '../../ui/kbd.tsx'
import { navigationOf } from './navigation.ts'

type Shortcut = readonly [label: string, keys: readonly string[]]

const everywhere: readonly Shortcut[] = [
  ['Search and actions', ['Mod', 'K']],
  ['Open or close the sidebar', ['Mod', 'B']],
  ['Go to the notifications', ['Alt', 'T']],
  ['These shortcuts', ['?']],
]

const lists: readonly Shortcut[] = [
  ['Search', ['/']],
  ['Add a filter', ['F']],
  ['Saved views', ['V']],
  ['Next and previous row', ['J', 'K']],
  ['Preview a row', ['Space']],
  ['Open a row', ['Enter']],
  ['Select a row', ['X']],
]

const conversations: readonly Shortcut[] = [
  ['Next and previous conversation', ['J', 'K']],
  ['Next unread conversation', ['Alt', '↓']],
  ['Reply', ['R']],
  ['Note', ['N']],
  ['Assign', ['A']],
  ['Resolve', ['E']],
  ['Mark as unread', ['U']],
  ['Snooze', ['S']],
  ['Select', ['X']],
  ['Details', ['I']],
  ['Canned replies', ['/']],
]

const editors: readonly Shortcut[] = [
  ['Next step, send, or save', ['Mod', 'Enter']],
  ['Previous step', ['Mod', 'Shift', 'Enter']],
  ['Save draft of a template', ['Mod', 'S']],
]

const sending: readonly Shortcut[] = [
  ['Undo send', ['Esc']],
  ['Send it now', ['Enter']],
]

/** All keyboard shortcuts on one page. */
export function Shortcuts({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const user = useUser()
  const places = user
    ? navigationOf(user.type).flatMap(({ label, keys }): Shortcut[] => (keys ? [[label, keys]] : []))
    : []
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts" width="medium">
      <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
        <Group title="Everywhere" shortcuts={everywhere} />
        <Group title="Go to" shortcuts={places} />
        <Group title="Lists" shortcuts={lists} />
        {places.some(([label]) => label === 'Conversations') ? (
          <Group title="Conversations" shortcuts={conversations} />
        ) : null}
        <Group title="Wizards and editors" shortcuts={editors} />
        <Group title="Sending" shortcuts={sending} />
      </div>
    </Dialog>
  )
}

function Group({ title, shortcuts }: { title: string; shortcuts: readonly Shortcut[] }) {
  return (
    <section>
      <h3 className="pb-1 text-caption font-medium text-muted-foreground">{title}</h3>
      <dl>
        {shortcuts.map(([label, keys]) => (
          <div key={label} className="flex min-h-8 items-center justify-between gap-3">
            <dt>{label}</dt>
            <dd>
              <Keys names={keys} />
              <span className="sr-only">{keys.join(' then ')}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
