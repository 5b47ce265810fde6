import { Channel } from '@carillon/contract/channels'
import { daysBetween, lastDays } from '../../lib/days.ts'
import {
  choiceParam,
  defineView,
  flagParam,
  idsParam,
  rangeParam,
  type DayRange,
  type ViewState,
} from '../../lib/url-state.ts'

const longestDays = 366

export const usageView = defineView({
  accountIds: idsParam('a'),
  range: rangeParam('r'),
  channel: choiceParam('h', ['any', ...Channel.options], 'any'),
  /** Compared with as many days before. */
  isCompared: flagParam('o'),
  /** Each row in a sentence. */
  isExplained: flagParam('e'),
})
export type UsageView = ViewState<typeof usageView>

/** The range of the view; the last thirty days when it has none, or one that is too long. */
export function rangeOf({ range }: Pick<UsageView, 'range'>): DayRange {
  return range && daysBetween(range).length <= longestDays ? range : lastDays(30)
}
