import { SmsCategory, SmsEncoding, SmsTemplateStatus } from '@carillon/contract/channels/sms/sms-templates'
import {
  choiceParam,
  defineView,
  idParam,
  numberParam,
  pageParam,
  optionalChoiceParam,
  textParam,
  type ViewState,
} from '../../../lib/url-state.ts'

export const templatesView = defineView({
  q: textParam(),
  a: idParam(),
  k: optionalChoiceParam(SmsCategory.options),
  e: optionalChoiceParam(SmsEncoding.options),
  f: optionalChoiceParam(SmsTemplateStatus.options),
  p: pageParam(),
  n: numberParam({ fallback: 25, minimum: 10, maximum: 100 }),
  v: choiceParam(['list', 'grid'], 'list'),
  c: idParam(),
})

export type TemplatesView = ViewState<typeof templatesView>

export function queryOf({ q, a, k, e, f, p, n }: TemplatesView) {
  return {
    page: p,
    limit: n,
    ...(q ? { search: q } : {}),
    ...(a ? { smsAccountId: a } : {}),
    ...(k ? { category: k } : {}),
    ...(e ? { encoding: e } : {}),
    ...(f ? { status: f } : {}),
  }
}
