import type { VariableSource } from '@carillon/contract/campaign-records'
import { TemplateValues } from '@carillon/contract/channels/whatsapp/whatsapp-campaigns'
import {
  WhatsappCategory,
  WhatsappTemplateContent,
  WhatsappTemplateStatus,
} from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { z } from 'zod'
import type { LoadedLeg, PreparedLeg, RepeatRule } from '../channel.ts'

/** Waiting times after WhatsApp's marketing limit refused a person: after the first refusal, and after the second. */
const repeatAfterSeconds = [24 * 3600, 48 * 3600]

export function readWhatsappLeg({ template, values }: Pick<LoadedLeg, 'template' | 'values'>) {
  return {
    content: WhatsappTemplateContent.parse(template.content),
    category: WhatsappCategory.parse(template.category),
    // A status that is newer than this program is not an approval.
    status: WhatsappTemplateStatus.catch('DISABLED').parse(template.status),
    values: TemplateValues.parse(values),
  }
}

const Format = z.object({ parameterFormat: z.string() }).catch({ parameterFormat: 'positional' })

export function prepareWhatsapp(leg: Pick<LoadedLeg, 'template' | 'values'>): PreparedLeg {
  const { content, category, values } = readWhatsappLeg(leg)
  const { name, language, facts } = leg.template
  return {
    content: {
      template: { name, language, parameterFormat: Format.parse(facts).parameterFormat, category, content },
      values,
    },
    category: category.toLowerCase(),
    priceName: `WhatsApp ${category.toLowerCase()}`,
    sources: sourcesOf(values),
    isPromotion: category === 'MARKETING',
    isMarketing: category === 'MARKETING',
    operatorHours: undefined,
  }
}

/** Every variable source of a template, in any of its components. */
function sourcesOf({ header, body, urls, copyCode, cards }: TemplateValues): VariableSource[] {
  return [
    ...(header ? [header] : []),
    ...body,
    ...urls,
    ...(copyCode ? [copyCode] : []),
    ...cards.flatMap((card) => [...card.body, ...card.urls]),
  ]
}

export function fileIds(values: unknown): string[] {
  const { media, cards } = TemplateValues.parse(values)
  return [media, ...cards.map((card) => card.media)].flatMap((one) =>
    one && 'fileId' in one && one.fileId ? [one.fileId] : [],
  )
}

/** WhatsApp limits how many marketing messages a person gets; a refusal for that reason is temporary. */
export function repeatsOf({ category }: Pick<PreparedLeg, 'category'>): RepeatRule[] {
  if (category !== 'marketing') return []
  return repeatAfterSeconds.map((delaySeconds) => ({ reason: 'user_marketing_cap', delaySeconds }))
}
