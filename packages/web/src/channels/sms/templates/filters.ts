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

/** Filters of the list. */
export function useTemplateFilters(view: TemplatesView, setView: SetView): Filter[] {
  const { accounts } = useSmsAccounts()
  return [
    choiceFilter('account', 'Account', {
      options: accounts.map(({ id, name }) => ({ value: id, label: name })),
      value: view.accountId,
      onChange: (accountId) => setView({ accountId, page: 1 }),
    }),
    choiceFilter('category', 'Category', {
      options: SmsCategory.options.map((value) => ({ value, label: categoryLabels[value] })),
      value: view.category,
      onChange: (chosen) => setView({ category: SmsCategory.options.find((value) => value === chosen), page: 1 }),
    }),
    choiceFilter('encoding', 'Encoding', {
      options: encodings,
      value: view.encoding,
      onChange: (chosen) => setView({ encoding: encodings.find(({ value }) => value === chosen)?.value, page: 1 }),
    }),
    choiceFilter('status', 'Status', {
      options: statusOptions(SmsTemplateStatus.options, statusLooks),
      value: view.status,
      onChange: (chosen) => setView({ status: SmsTemplateStatus.options.find((value) => value === chosen), page: 1 }),
    }),
  ]
}
