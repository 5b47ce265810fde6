import { WhatsappCategory, WhatsappTemplateQuality } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { templateLanguages } from '../template-labels.tsx'
import { openIdParam, pageParam, pageSizeParam, searchParam } from '../../../lib/list-view.ts'
import { defineView, idParam, optionalChoiceParam, textParam, type ViewState } from '../../../lib/url-state.ts'
import { whatsappTemplatesLink } from './list-link.ts'

const languages = templateLanguages.map(({ value }) => value)

export const whatsappTemplatesView = defineView({
  search: searchParam(),
  wabaId: idParam('w'),
  status: whatsappTemplatesLink.status,
  category: optionalChoiceParam('k', WhatsappCategory.options),
  language: optionalChoiceParam('l', languages),
  quality: optionalChoiceParam('g', WhatsappTemplateQuality.options),
  /** Start of the page: after or before a cursor. */
  after: textParam('a'),
  before: textParam('b'),
  page: pageParam(),
  pageSize: pageSizeParam(25),
  openId: openIdParam(),
})

export type WhatsappTemplatesView = ViewState<typeof whatsappTemplatesView>

/** Reset by every change of a filter, because a cursor is valid for one list only. */
export const fromStart = { after: '', before: '', page: 1 } as const

export function queryOf(view: WhatsappTemplatesView) {
  const { search, wabaId, status, category, language, quality, after, before, pageSize } = view
  return {
    limit: pageSize,
    ...(after ? { after } : before ? { before } : {}),
    ...(search ? { search } : {}),
    ...(wabaId ? { waba_id: wabaId } : {}),
    ...(status ? { status } : {}),
    ...(category ? { category } : {}),
    ...(language ? { language } : {}),
    ...(quality ? { quality } : {}),
  }
}
