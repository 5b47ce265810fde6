import type { Contact, Conversation } from '@carillon/contract/conversation-records'
import { PanelRightClose, Pencil, Phone, Plus } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { ChannelMark } from '../../../channels/channel-mark.tsx'
import { formatDay, formatPhone } from '../../../lib/format.ts'
import { listView } from '../../../lib/list-view.ts'
import { useApi } from '../../../lib/use-api.ts'
import { writeView } from '../../../lib/url-state.ts'
import { AreaLink } from '../../../ui/area-link.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { Copyable } from '../../../ui/copyable.tsx'
import { Region } from '../../../ui/region.tsx'
import { Tick } from '../../../ui/tick.tsx'
import { holderNames, priorityNames, statusNames } from '../chat-labels.ts'
import { chatsView } from '../chats-view.ts'
import { formatMoment } from '../format-moment.ts'
import { personName } from '../person-name.ts'
import { AgentAvatar } from '../person-avatar.tsx'
import { useServerNow } from '../state/server-clock.ts'
import type { Changes } from '../state/use-changes.ts'
import { AssigneeMenu } from '../thread/assignee-menu.tsx'
import type { OpenDialog } from '../thread/use-conversation-menu.ts'
import { DetailsSection } from './details-section.tsx'
import { Identities } from './identities.tsx'
import { WindowClock } from './window-clock.tsx'

type DetailsPaneProps = {
  conversation: Conversation
  accountId: string | undefined
  changes: Changes
  openDialog: OpenDialog
  /** Absent in a sheet, which has its own button. */
  onClose?: (() => void) | undefined
}

/** Who the person is, and what the team knows and did. */
export function DetailsPane({ conversation, accountId, changes, openDialog, onClose }: DetailsPaneProps) {
  const contact = useApi('contacts.get', { path: { id: conversation.contactId } }, { staleTime: 30_000 })
  return (
    <div className="scrollbar-none min-h-0 flex-1 overflow-y-auto px-5 pb-5">
      <Head conversation={conversation} onRename={() => openDialog('rename')} onClose={onClose} />
      <WindowClock conversation={conversation} />
      <Facts conversation={conversation} accountId={accountId} changes={changes} openDialog={openDialog} />
      <Region read={contact} label="the contact" lines={4}>
        {(data) => (
          <>
            <Identities contact={data} conversation={conversation} />
            <Campaigns contact={data} />
            <Conversations contact={data} chatId={conversation.chatId} />
          </>
        )}
      </Region>
    </div>
  )
}

type HeadProps = { conversation: Conversation; onRename: () => void; onClose: (() => void) | undefined }

function Head({ conversation, onRename, onClose }: HeadProps) {
  const { phoneNumber, username, line } = conversation
  const name = personName(conversation)
  return (
    <>
      <div className="-mr-2 flex items-center gap-3 pt-4">
        <AgentAvatar name={name} className="size-10 text-dense!" />
        <div className="min-w-0 flex-1">
          <h3 className="flex items-center gap-1 text-body font-semibold">
            <bdi className="truncate">{name}</bdi>
            <IconButton label="Rename contact" size="tool" onClick={onRename}>
              <Pencil aria-hidden className="size-3.5!" />
            </IconButton>
          </h3>
          <p className="truncate text-caption text-muted-foreground">Writes to {line.name}</p>
        </div>
        {onClose ? (
          <IconButton label="Hide details" keys={['I']} size="sm" onClick={onClose}>
            <PanelRightClose aria-hidden />
          </IconButton>
        ) : null}
      </div>
      <div className="flex min-h-11 items-center gap-1 pl-13">
        {phoneNumber ? (
          <>
            <Copyable text={formatPhone(phoneNumber)} label="Copy number" />
            <a
              href={`tel:${phoneNumber}`}
              aria-label="Call"
              title="Call"
              className="ml-1 grid size-7 place-items-center rounded-md text-muted-foreground hover:bg-accent hover:text-foreground"
            >
              <Phone aria-hidden className="size-3.5" />
            </a>
          </>
        ) : (
          <span className="text-dense text-muted-foreground">{username ?? 'The channel does not show the number'}</span>
        )}
      </div>
    </>
  )
}

type FactsProps = Pick<DetailsPaneProps, 'conversation' | 'accountId' | 'changes' | 'openDialog'>

function Facts({ conversation, accountId, changes, openDialog }: FactsProps) {
  const [isAssigning, setAssigning] = useState(false)
  const { team, status, dueAt, labels, priority, snoozedUntil, snoozeNote, handledBy } = conversation
  return (
    <dl className="py-2.5">
      <Fact label="Assignee">
        <AssigneeMenu
          isInline
          conversation={conversation}
          accountId={accountId}
          open={isAssigning}
          onOpenChange={setAssigning}
          onAssign={(assigneeId) => changes.change(conversation, { assigneeId })}
        />
      </Fact>
      {team ? <Fact label="Team">{team.name}</Fact> : null}
      <Fact label="Status">
        {statusNames[status]}
        {status === 'snoozed' && snoozedUntil ? ` until ${formatMoment(snoozedUntil)}` : ''}
      </Fact>
      {status === 'snoozed' && snoozeNote ? <Fact label="Snooze note">{snoozeNote}</Fact> : null}
      {handledBy === 'human' ? null : <Fact label="Handled by">{holderNames[handledBy]}</Fact>}
      {dueAt ? <DueFact dueAt={dueAt} /> : null}
      <Fact label="Priority">
        <button
          type="button"
          className="-mr-1.5 h-7 rounded-md px-1.5 hover:bg-accent"
          onClick={() => openDialog('priority')}
        >
          {priorityNames[priority]}
        </button>
      </Fact>
      <Fact label="Labels">
        <span className="flex flex-wrap items-center justify-end gap-1 py-1">
          {labels.map((label) => (
            <bdi key={label} className="max-w-40 truncate rounded-sm bg-secondary px-1.5 text-caption leading-5">
              {label}
            </bdi>
          ))}
          <IconButton label="Edit labels" size="tool" className="-mr-1.5 size-6!" onClick={() => openDialog('labels')}>
            <Plus aria-hidden className="size-3.5!" />
          </IconButton>
        </span>
      </Fact>
    </dl>
  )
}

function DueFact({ dueAt }: { dueAt: string }) {
  const now = useServerNow()
  const isOver = Date.parse(dueAt) < now
  const at = formatMoment(dueAt)
  return (
    <Fact label="Reply due">
      <span className={isOver ? 'text-danger-text' : 'text-warning-text'}>{isOver ? `Overdue since ${at}` : at}</span>
    </Fact>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-h-8 items-center justify-between gap-4 text-dense">
      <dt className="shrink-0 text-muted-foreground">{label}</dt>
      <dd className="min-w-0 text-right [overflow-wrap:anywhere]">{children}</dd>
    </div>
  )
}

function Campaigns({ contact: { campaigns } }: { contact: Contact }) {
  if (campaigns.length === 0) return null
  return (
    <DetailsSection title="Campaigns received" count={campaigns.length}>
      <ul>
        {campaigns.map(({ campaignId, name, channel, status, at }) => (
          <li key={`${campaignId} ${at}`} className="flex h-7.5 items-center gap-2">
            <ChannelMark channel={channel} markOnly />
            <AreaLink
              to="campaigns"
              search={writeView(listView, { openId: campaignId })}
              className="min-w-0 flex-1 truncate underline-offset-2 hover:underline"
            >
              {name}
            </AreaLink>
            <Tick status={status} />
            <time dateTime={at} className="w-11 text-right text-caption text-muted-foreground tabular-nums">
              {formatDay(at)}
            </time>
          </li>
        ))}
      </ul>
    </DetailsSection>
  )
}

function Conversations({ contact: { conversations }, chatId }: { contact: Contact; chatId: string }) {
  const others = conversations.filter((other) => other.chatId !== chatId)
  if (others.length === 0) return null
  return (
    <DetailsSection title="Other conversations" count={others.length}>
      <ul>
        {others.map(({ chatId: id, channel, line, lastText, lastAt }) => (
          <li key={id} className="flex h-7.5 items-center gap-2">
            <ChannelMark channel={channel} markOnly />
            <AreaLink
              to="chats"
              search={writeView(chatsView, { openId: id })}
              className="message-text min-w-0 flex-1 truncate underline-offset-2 hover:underline"
            >
              {lastText || line.name}
            </AreaLink>
            <time dateTime={lastAt} className="text-caption text-muted-foreground tabular-nums">
              {formatDay(lastAt)}
            </time>
          </li>
        ))}
      </ul>
    </DetailsSection>
  )
}
