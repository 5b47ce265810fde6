import type { WhatsappTemplate } from '@carillon/contract/channels/whatsapp/whatsapp-templates'

/** A template in all its languages on this page. */
export type TemplateFamily = {
  id: string
  name: string
  waba_id: string
  /** Represents the template: the language that most needs attention. */
  first: WhatsappTemplate
  variants: readonly WhatsappTemplate[]
}

const urgency = ['REJECTED', 'DISABLED', 'PAUSED', 'LIMIT_EXCEEDED']

export function familiesOf(templates: readonly WhatsappTemplate[]): TemplateFamily[] {
  const families = new Map<string, WhatsappTemplate[]>()
  for (const template of templates) {
    const key = `${template.waba_id} ${template.name}`
    families.set(key, [...(families.get(key) ?? []), template])
  }
  return [...families.values()].flatMap((variants) => {
    const first = variants.find(({ status }) => urgency.includes(status)) ?? variants[0]
    return first ? [{ id: first._id, name: first.name, waba_id: first.waba_id, first, variants }] : []
  })
}

/** The language for a campaign with the template: the first approved one. */
export function sendableOf({ variants }: TemplateFamily): WhatsappTemplate | undefined {
  return variants.find(({ status }) => status === 'APPROVED')
}
