import { choiceParam, defineView, idParam, numberParam, type ViewState } from '../../../lib/url-state.ts'

export const whatsappView = defineView({
  t: choiceParam(['numbers', 'accounts', 'analytics', 'profile'], 'numbers'),
  /** The account, or the number, that a tab is about. */
  c: idParam(),
  /** Days that analytics look back. */
  r: numberParam({ fallback: 30, minimum: 7, maximum: 90 }),
})

export type WhatsappTab = ViewState<typeof whatsappView>['t']
