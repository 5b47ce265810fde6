import { SmsCategory, SmsEncoding } from '@carillon/contract/channels/sms/sms-templates'
import { openIdParam, pageParam, pageSizeParam, searchParam } from '../../../lib/list-view.ts'
import { choiceParam, defineView, idParam, optionalChoiceParam, type ViewState } from '../../../lib/url-state.ts'
import { smsTemplatesLink } from './list-link.ts'

export const templatesView = defineView({
  search: searchParam(),
  accountId: idParam('a'),
  category: optionalChoiceParam('k', SmsCategory.options),
  encoding: optionalChoiceParam('e', SmsEncoding.options),
  status: smsTemplatesLink.status,
  page: pageParam(),
  pageSize: pageSizeParam(25),
  layout: choiceParam('v', ['list', 'grid'], 'list'),
  openId: openIdParam(),
})

export type TemplatesView = ViewState<typeof templatesView>

export function queryOf({ search, accountId, category, encoding, status, page, pageSize }: TemplatesView) {
  return {
    page,
    limit: pageSize,
    ...(search ? { search } : {}),
    ...(accountId ? { smsAccountId: accountId } : {}),
    ...(category ? { category } : {}),
    ...(encoding ? { encoding } : {}),
    ...(status ? { status } : {}),
  }
}
