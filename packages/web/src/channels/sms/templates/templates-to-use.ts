import type { SmsTemplate } from '@carillon/contract/channels/sms/sms-templates'

type Choice = Pick<SmsTemplate, 'status' | 'usedCount'>

const most = 3

/** The approved templates that were used most often; where none was used yet, the first of the list. */
export function templatesToUse<Template extends Choice>(templates: readonly Template[]) {
  const approved = templates.filter(({ status }) => status === 'approved')
  const used = approved.filter(({ usedCount }) => usedCount > 0).toSorted((a, b) => b.usedCount - a.usedCount)
  const isAgain = used.length > 0
  return { isAgain, shown: (isAgain ? used : approved).slice(0, most) }
}
