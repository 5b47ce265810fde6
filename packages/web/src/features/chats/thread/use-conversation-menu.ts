import type { Conversation } from '@carillon/contract/conversation-records'
import {
  AlarmClock,
  AlarmClockOff,
  Ban,
  Bot,
  BotOff,
  Flag,
  Headset,
  MailOpen,
  Pencil,
  PanelRight,
  Tag,
  UserRoundPlus,
} from 'lucide-react'
import type { MenuItem } from '../../../ui/menu.tsx'
import type { Changes } from '../state/use-changes.ts'

export type ChatDialog = 'snooze' | 'priority' | 'labels' | 'block' | 'rename' | 'assign'
export type OpenDialog = (dialog: ChatDialog) => void

type MenuInput = {
  conversation: Conversation
  changes: Changes
  openDialog: OpenDialog
  onDetails: () => void
  hasDetails: boolean
}

/** What else can be done with a conversation. */
export function useConversationMenu({
  conversation,
  changes,
  openDialog,
  onDetails,
  hasDetails,
}: MenuInput): MenuItem[] {
  const { status, handledBy, isBlocked, unread } = conversation
  const change = (changed: Parameters<Changes['change']>[1]) => changes.change(conversation, changed)
  return [
    { label: 'Assign…', icon: UserRoundPlus, keys: ['A'], onSelect: () => openDialog('assign') },
    status === 'snoozed'
      ? { label: 'End snooze', icon: AlarmClockOff, onSelect: () => change({ status: 'open' }) }
      : { label: 'Snooze…', icon: AlarmClock, keys: ['S'], onSelect: () => openDialog('snooze') },
    {
      label: 'Mark as unread',
      icon: MailOpen,
      keys: ['U'],
      disabled: unread > 0 ? 'It is unread' : undefined,
      onSelect: () => change({ isUnread: true }),
    },
    'separator',
    { label: 'Priority…', icon: Flag, onSelect: () => openDialog('priority') },
    { label: 'Labels…', icon: Tag, onSelect: () => openDialog('labels') },
    { label: 'Rename contact…', icon: Pencil, onSelect: () => openDialog('rename') },
    ...(hasDetails ? [] : [{ label: 'Details', icon: PanelRight, keys: ['I'], onSelect: onDetails }]),
    'separator',
    ...botItems(handledBy, change),
    isBlocked
      ? { label: 'Unblock', icon: Ban, onSelect: () => change({ isBlocked: false }) }
      : { label: 'Block…', icon: Ban, destructive: true, onSelect: () => openDialog('block') },
  ]
}

function botItems(
  handledBy: Conversation['handledBy'],
  change: (changed: Parameters<Changes['change']>[1]) => void,
): MenuItem[] {
  const toBot: MenuItem = { label: 'Hand to bot', icon: Bot, onSelect: () => change({ handledBy: 'bot' }) }
  const takeOver: MenuItem = {
    label: 'Take over from bot',
    icon: Headset,
    onSelect: () => change({ handledBy: 'human' }),
  }
  const pause: MenuItem = { label: 'Pause bot', icon: BotOff, onSelect: () => change({ handledBy: 'paused' }) }
  if (handledBy === 'bot') return [takeOver, pause]
  return handledBy === 'human' ? [toBot] : [toBot, takeOver]
}
