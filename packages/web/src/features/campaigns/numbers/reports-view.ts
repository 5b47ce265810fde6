import { LegResult } from '@carillon/contract/campaign-records'
import { defineView, flagParam, idParam, numberParam, optionalChoiceParam } from '../../../lib/url-state.ts'

/** The campaign, and which of its recipients are listed; -1: of any leg. */
export const reportsView = defineView({
  campaignId: idParam('c'),
  leg: numberParam('l', { fallback: -1, minimum: 0, maximum: 99 }),
  result: optionalChoiceParam('r', LegResult.options),
  both: flagParam('b'),
  clicked: flagParam('k'),
})
