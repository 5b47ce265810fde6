import { RcsCategory, RcsTemplateType } from '@carillon/contract/channels/rcs/rcs-templates'
import { openIdParam, pageParam, pageSizeParam, searchParam } from '../../../lib/list-view.ts'
import { choiceParam, defineView, idParam, optionalChoiceParam, type ViewState } from '../../../lib/url-state.ts'
import { rcsTemplatesLink } from './list-link.ts'

export const rcsTemplatesView = defineView({
  search: searchParam(),
  botId: idParam('b'),
  type: optionalChoiceParam('t', RcsTemplateType.options),
  status: rcsTemplatesLink.status,
  category: optionalChoiceParam('k', RcsCategory.options),
  page: pageParam(),
  pageSize: pageSizeParam(25),
  layout: choiceParam('v', ['list', 'grid'], 'list'),
  openId: openIdParam(),
})

export type RcsTemplatesView = ViewState<typeof rcsTemplatesView>

export function queryOf({ search, botId, type, status, category, page, pageSize }: RcsTemplatesView) {
  return {
    page,
    limit: pageSize,
    ...(search ? { search } : {}),
    ...(botId ? { botId } : {}),
    ...(type ? { type } : {}),
    ...(status ? { status } : {}),
    ...(category ? { category } : {}),
  }
}
