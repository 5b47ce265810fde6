import type { Contact, Conversation } from '@carillon/contract/conversation-records'
import { Split, Undo2, UsersRound } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { ChannelMark } from '../../../channels/channel-mark.tsx'
import { formatDateTime, formatPhone } from '../../../lib/format.ts'
import { useApi, useApiWrite } from '../../../lib/use-api.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { ConfirmDialog, Dialog } from '../../../ui/dialog.tsx'
import { Input } from '../../../ui/input.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { toast } from '../../../ui/toast.tsx'
import { DetailsSection } from './details-section.tsx'

type Identity = Contact['identities'][number]
type IdentitiesProps = { contact: Contact; conversation: Conversation }

const refreshes = ['contacts.get', 'conversations.get'] as const

/** The numbers and names by which channels know the person; they can be merged and split. */
export function Identities({ contact, conversation }: IdentitiesProps) {
  const [isMerging, setMerging] = useState(false)
  const [splitting, setSplitting] = useState<Identity>()
  const undo = useApiWrite('contacts.undo', {
    refreshes,
    onSuccess: () => toast.success('Undone'),
    onError: ({ message }) => toast.error(message),
  })
  const last = contact.changes.find(({ undoneAt }) => undoneAt === undefined)
  return (
    <DetailsSection title="Contact" count={contact.identities.length}>
      <ul>
        {contact.identities.map((identity) => (
          <li key={`${identity.channel} ${identity.identity}`} className="flex min-h-7.5 items-center gap-2">
            <ChannelMark channel={identity.channel} markOnly />
            <span className="min-w-0 flex-1 truncate">
              <bdi>{identityText(identity)}</bdi>
              {identity.optedOut ? <span className="text-danger-text"> · opted out</span> : null}
            </span>
            {contact.identities.length > 1 ? (
              <IconButton label={`Split ${identityText(identity)}`} size="tool" onClick={() => setSplitting(identity)}>
                <Split aria-hidden className="size-3.5!" />
              </IconButton>
            ) : null}
          </li>
        ))}
      </ul>
      <div className="mt-1 flex flex-wrap gap-1">
        <Button variant="ghost" size="tool" className="-ml-2 text-muted-foreground" onClick={() => setMerging(true)}>
          <UsersRound aria-hidden /> Merge…
        </Button>
        {last ? (
          <Button
            variant="ghost"
            size="tool"
            className="text-muted-foreground"
            title={`${last.identities.join(', ')} by ${last.by}, ${formatDateTime(last.at)}`}
            loading={undo.isPending}
            onClick={() => undo.mutate({ path: { id: contact._id, changeId: last.id } })}
          >
            <Undo2 aria-hidden /> Undo {last.kind}
          </Button>
        ) : null}
      </div>
      {isMerging ? (
        <MergeDialog contact={contact} conversation={conversation} onClose={() => setMerging(false)} />
      ) : null}
      {splitting ? (
        <SplitDialog contact={contact} identity={splitting} onClose={() => setSplitting(undefined)} />
      ) : null}
    </DetailsSection>
  )
}

function identityText({ phoneNumber, username, name, identity }: Identity): string {
  return phoneNumber ? formatPhone(phoneNumber) : (username ?? name ?? identity)
}

type SplitDialogProps = { contact: Contact; identity: Identity; onClose: () => void }

function SplitDialog({ contact, identity, onClose }: SplitDialogProps) {
  const split = useApiWrite('contacts.split', {
    refreshes,
    onSuccess() {
      toast.success('Contact split')
      onClose()
    },
    onError: ({ message }) => toast.error(message),
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title="Split this contact"
      description={`${identityText(identity)} becomes a contact of its own, such as after the number was given to another person. You can undo this.`}
      action="Split"
      loading={split.isPending}
      onConfirm={() =>
        split.mutate({
          path: { id: contact._id },
          body: { identities: [{ channel: identity.channel, identity: identity.identity }] },
        })
      }
    />
  )
}

type MergeDialogProps = IdentitiesProps & { onClose: () => void }

/** Finds another conversation of the same person. */
function MergeDialog({ contact, conversation, onClose }: MergeDialogProps) {
  const [typed, setTyped] = useState('')
  const q = useDeferredValue(typed.trim())
  const found = useApi(
    'conversations.search',
    { query: { q, limit: 20 } },
    { enabled: q.length >= 2, keepPrevious: true },
  )
  const merge = useApiWrite('contacts.merge', {
    refreshes,
    onSuccess() {
      toast.success('Contacts merged')
      onClose()
    },
  })
  const others = new Map(
    (found.data?.results ?? [])
      .filter(({ conversation: other }) => other.contactId !== contact._id)
      .map(({ conversation: other }) => [other.contactId, other]),
  )
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Merge contacts"
      width="medium"
      description={`Choose the contact that is the same person as ${conversation.name}. You can undo this.`}
    >
      <Input
        aria-label="Search contacts"
        placeholder="Name or number"
        maxLength={80}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <ul aria-label="Contacts" className="mt-2 min-h-40">
        {[...others.values()].map((other) => (
          <li key={other.contactId}>
            <button
              type="button"
              className="flex min-h-9 w-full items-center gap-2 rounded-sm px-2 text-left hover:bg-accent pointer-coarse:min-h-11"
              onClick={() => merge.mutate({ path: { id: contact._id }, body: { contactId: other.contactId } })}
            >
              <ChannelMark channel={other.channel} markOnly />
              <bdi className="min-w-0 flex-1 truncate">{other.name}</bdi>
              <span className="font-mono text-caption text-muted-foreground">
                {other.phoneNumber ? formatPhone(other.phoneNumber) : other.username}
              </span>
            </button>
          </li>
        ))}
        {q.length >= 2 && found.data && others.size === 0 ? (
          <li className="px-2 py-3 text-dense text-muted-foreground">No other contacts match</li>
        ) : null}
      </ul>
      {merge.error ? <Notice tone="bad">{merge.error.message}</Notice> : null}
    </Dialog>
  )
}
