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
  a: idsParam(),
  r: rangeParam(),
  h: choiceParam(['any', ...Channel.options], 'any'),
  /** Compared with as many days before. */
  o: flagParam(),
  /** Each row in a sentence. */
  e: flagParam(),
})
export type UsageView = ViewState<typeof usageView>

/** The range of the view; the last thirty days when it has none, or one that is too long. */
export function rangeOf({ r }: Pick<UsageView, 'r'>): DayRange {
  return r && daysBetween(r).length <= longestDays ? r : lastDays(30)
}
