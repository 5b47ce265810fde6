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
  /** Compares with the same number of days before. */
  isCompared: flagParam('o'),
  /** Explains each row in a sentence. */
  isExplained: flagParam('e'),
})
export type UsageView = ViewState<typeof usageView>

/** The range of the view; the last thirty days without one, or if it is too long. */
export function rangeOf({ range }: Pick<UsageView, 'range'>): DayRange {
  return range && daysBetween(range).length <= longestDays ? range : lastDays(30)
}
