import { SmsCategory, SmsTemplateStatus } from '@carillon/contract/channels/sms/sms-templates'
import { categoryLabels } from '../sender-name.ts'
import { useSmsAccounts } from '../use-sms-accounts.ts'
import { choiceFilter, type Filter } from '../../../ui/data-screen/filter.ts'
import { statusOptions } from '../../parts/templates/status-pill.tsx'
import { statusLooks } from './status.tsx'
import type { TemplatesView } from './view.ts'

type SetView = (patch: Partial<TemplatesView>) => void

const encodings = [
  { value: 'gsm7', label: 'GSM-7' },
  { value: 'ucs2', label: 'Unicode' },
] as const

/** What the list can be narrowed by. */
export function useTemplateFilters(view: TemplatesView, setView: SetView): Filter[] {
  const { accounts } = useSmsAccounts()
  return [
    choiceFilter('account', 'Account', {
      options: accounts.map(({ id, name }) => ({ value: id, label: name })),
      value: view.a,
      onChange: (a) => setView({ a, p: 1 }),
    }),
    choiceFilter('category', 'Category', {
      options: SmsCategory.options.map((value) => ({ value, label: categoryLabels[value] })),
      value: view.k,
      onChange: (chosen) => setView({ k: SmsCategory.options.find((value) => value === chosen), p: 1 }),
    }),
    choiceFilter('encoding', 'Encoding', {
      options: encodings,
      value: view.e,
      onChange: (chosen) => setView({ e: encodings.find(({ value }) => value === chosen)?.value, p: 1 }),
    }),
    choiceFilter('status', 'Status', {
      options: statusOptions(SmsTemplateStatus.options, statusLooks),
      value: view.f,
      onChange: (chosen) => setView({ f: SmsTemplateStatus.options.find((value) => value === chosen), p: 1 }),
    }),
  ]
}
