import { SmsCategory, SmsTemplateStatus } from '@carillon/contract/channels/sms/sms-templates'
import {
  choiceParam,
  defineView,
  idParam,
  numberParam,
  pageParam,
  textParam,
  type Param,
  type ViewState,
} from '../../../lib/url-state.ts'

/** One of the values, or none: written as its place, none as an empty text. */
export function optionalChoice<const Value extends string>(values: readonly Value[]): Param<Value | undefined> {
  return {
    fallback: undefined,
    read: (text) => (/^\d{1,2}$/.test(text) ? values[Number(text)] : undefined),
    write: (value) => (value === undefined ? '' : String(values.indexOf(value))),
  }
}

export const templatesView = defineView({
  q: textParam(),
  a: idParam(),
  k: optionalChoice(SmsCategory.options),
  e: optionalChoice(['gsm7', 'ucs2']),
  f: optionalChoice(SmsTemplateStatus.options),
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
