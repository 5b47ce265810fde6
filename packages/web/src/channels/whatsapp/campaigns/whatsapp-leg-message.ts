import type { TemplateValues } from '@carillon/contract/channels/whatsapp/whatsapp-campaigns'
import type { RowFacts, Shown, ShownRecipient } from '../../channel-campaigns.ts'
import type { WhatsappMessage } from '../phone/whatsapp-message.ts'
import { filledMessage } from './whatsapp-fill.ts'
import { slotsOf, type TemplateShape } from './whatsapp-slots.ts'

type Filled = {
  template: TemplateShape | undefined
  values: TemplateValues
  columns: readonly string[]
  sender: string
  /** URLs of files uploaded in this session, by Meta's id. */
  mediaUrls: Readonly<Record<string, string>>
}

/** A recipient's message; with sample values before there is one. */
export function whatsappMessageOf(
  { template, sender, ...filling }: Filled,
  recipient: ShownRecipient | undefined,
): WhatsappMessage {
  if (!template) return { channel: 'whatsapp', sender, pieces: [] }
  return filledMessage(template, { ...filling, sender, row: recipient?.values ?? 'samples' })
}

/** The part to outline on the phone for the focused field. */
export function outlinedSlot(template: TemplateShape | undefined, focused: string | undefined) {
  const slot = template && slotsOf(template).find(({ id }) => id === focused)
  return { focusedVariable: slot?.name, focusedPart: slot?.part }
}

export function whatsappRowFacts({ recipient, estimate }: Shown): RowFacts | undefined {
  if (!recipient) return undefined
  const hasMissing = estimate !== undefined && estimate.missing > 0
  return {
    cost: estimate?.pricePerPart,
    jumps: hasMissing ? [{ id: 'missing', label: 'Missing', count: estimate.missing, rows: estimate.missingSeqs }] : [],
  }
}
