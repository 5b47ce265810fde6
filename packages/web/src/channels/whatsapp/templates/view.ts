import {
  WhatsappCategory,
  WhatsappTemplateQuality,
  WhatsappTemplateStatus,
} from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { templateLanguages } from '../template-labels.tsx'
import {
  defineView,
  idParam,
  numberParam,
  optionalChoiceParam,
  pageParam,
  textParam,
  type ViewState,
} from '../../../lib/url-state.ts'

const languages = templateLanguages.map(({ value }) => value)

export const whatsappTemplatesView = defineView({
  q: textParam(),
  w: idParam(),
  f: optionalChoiceParam(WhatsappTemplateStatus.options),
  k: optionalChoiceParam(WhatsappCategory.options),
  l: optionalChoiceParam(languages),
  g: optionalChoiceParam(WhatsappTemplateQuality.options),
  /** Where the page begins: after one cursor, or before one. */
  a: textParam(),
  b: textParam(),
  p: pageParam(),
  n: numberParam({ fallback: 25, minimum: 10, maximum: 100 }),
  c: idParam(),
})

export type WhatsappTemplatesView = ViewState<typeof whatsappTemplatesView>

/** What every change of a filter sets back: a cursor belongs to one list only. */
export const fromStart = { a: '', b: '', p: 1 } as const

export function queryOf({ q, w, f, k, l, g, a, b, n }: WhatsappTemplatesView) {
  return {
    limit: n,
    ...(a ? { after: a } : b ? { before: b } : {}),
    ...(q ? { search: q } : {}),
    ...(w ? { waba_id: w } : {}),
    ...(f ? { status: f } : {}),
    ...(k ? { category: k } : {}),
    ...(l ? { language: l } : {}),
    ...(g ? { quality: g } : {}),
  }
}
