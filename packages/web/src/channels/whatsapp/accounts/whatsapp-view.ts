import { choiceParam, defineView, idParam, numberParam, type ViewState } from '../../../lib/url-state.ts'

export const whatsappView = defineView({
  tab: choiceParam('t', ['numbers', 'accounts', 'analytics', 'profile'], 'numbers'),
  /** The account or number shown in a tab. */
  chosenId: idParam('c'),
  /** Number of days in analytics. */
  days: numberParam('r', { fallback: 30, minimum: 7, maximum: 90 }),
})

export type WhatsappTab = ViewState<typeof whatsappView>['tab']
