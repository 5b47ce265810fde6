import type { TemplateToUse } from '../../channels/channel-templates.ts'

type Choice = Pick<TemplateToUse, 'isSendable' | 'usedCount'>

const most = 3

/** The most used sendable templates; if none was used yet, the first of the list. */
export function templatesToUse<Template extends Choice>(templates: readonly Template[]) {
  const sendable = templates.filter(({ isSendable }) => isSendable)
  const used = sendable.filter(({ usedCount }) => usedCount > 0).toSorted((a, b) => b.usedCount - a.usedCount)
  const isAgain = used.length > 0
  return { isAgain, shown: (isAgain ? used : sendable).slice(0, most) }
}
