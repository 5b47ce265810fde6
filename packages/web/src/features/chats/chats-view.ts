import type { ConversationBox, ConversationOrder } from '@carillon/contract/conversations'
import type { ConversationStatus, HeldBy } from '@carillon/contract/conversation-records'
import { channelList } from '../../channels/index.ts'
import { openIdParam, searchParam } from '../../lib/list-view.ts'
import {
  choiceParam,
  defineView,
  flagParam,
  idParam,
  optionalChoiceParam,
  textParam,
  type ViewState,
} from '../../lib/url-state.ts'

export const boxes = ['mine', 'unassigned', 'all'] as const satisfies readonly ConversationBox[]
export const orders = ['closing', 'newest', 'waiting'] as const satisfies readonly ConversationOrder[]
export const statuses = ['open', 'pending', 'snoozed', 'resolved'] as const satisfies readonly ConversationStatus[]
export const holders = ['bot', 'human', 'paused'] as const satisfies readonly HeldBy[]
const channelChoices = channelList.map(({ channel }) => channel)

/** URL state of the conversations. */
export const chatsView = defineView({
  box: choiceParam('t', boxes, 'all'),
  search: searchParam(),
  order: choiceParam('s', orders, 'closing'),
  status: choiceParam('u', ['active', ...statuses], 'active'),
  channel: optionalChoiceParam('h', channelChoices),
  lineId: idParam('l'),
  label: textParam('b'),
  handledBy: optionalChoiceParam('y', holders),
  isUnread: flagParam('f'),
  isClosingSoon: flagParam('g'),
  openId: openIdParam(),
  /** An item of the open thread to scroll to. */
  itemId: idParam('m'),
  /** On phones, the details of the open conversation. */
  showsDetails: flagParam('v'),
})

/** Letters that are not part of a saved view: what is open. */
export const passingLetters = [chatsView.openId.letter, chatsView.itemId.letter, chatsView.showsDetails.letter]

export type ChatsView = ViewState<typeof chatsView>

const filterNames = ['channel', 'lineId', 'label', 'handledBy', 'isUnread', 'isClosingSoon'] as const

/** The filters without tab and order. */
export const noFilters = {
  status: 'active',
  channel: undefined,
  lineId: undefined,
  label: '',
  handledBy: undefined,
  isUnread: false,
  isClosingSoon: false,
} as const satisfies Partial<ChatsView>

export function countFilters(view: ChatsView): number {
  return filterNames.filter((name) => Boolean(view[name])).length + (view.status === 'active' ? 0 : 1)
}

/** The query of the list call, without order and page. */
export function filterOf(view: ChatsView) {
  return {
    status: view.status,
    ...(view.channel ? { channel: view.channel } : {}),
    ...(view.lineId ? { line: view.lineId } : {}),
    ...(view.label ? { label: view.label } : {}),
    ...(view.handledBy ? { handledBy: view.handledBy } : {}),
    ...(view.isUnread ? { unread: 'true' as const } : {}),
    ...(view.isClosingSoon ? { closingSoon: 'true' as const } : {}),
  }
}

export type InboxQuery = ReturnType<typeof filterOf> & { box: ConversationBox; order: ConversationOrder }

export function queryOf(view: ChatsView): InboxQuery {
  return { ...filterOf(view), box: view.box, order: view.order }
}
