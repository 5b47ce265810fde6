import type { Account, DltTemplate } from '../accounts.ts'

export type DltMessage = { entityId: string | undefined; templateId: string | undefined; header: string; text: string }

/** Result of the DLT check: passed, missing ids, or the code of a REJECTD report. */
export function checkDlt(account: Account, message: DltMessage): 'fine' | 'missing' | { error: string } {
  if (!account.dlt) return 'fine'
  if (!message.entityId || !message.templateId) return account.dlt.missing === 'refuse' ? 'missing' : { error: '633' }
  const ofEntity = account.dlt.templates.filter(({ entityId }) => entityId === message.entityId)
  if (ofEntity.length === 0) return { error: '600' }
  const template = ofEntity.find(({ templateId }) => templateId === message.templateId)
  if (!template) return { error: '630' }
  if (template.header !== undefined && template.header !== message.header) return { error: '634' }
  return matchesText(template, message.text) ? 'fine' : { error: '633' }
}

function matchesText(template: DltTemplate, text: string): boolean {
  if (template.text === undefined) return true
  const fixed = template.text.split(/\{#\w+#\}/).map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${fixed.join('[\\s\\S]{0,40}')}$`).test(text)
}
