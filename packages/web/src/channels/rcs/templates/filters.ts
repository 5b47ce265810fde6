import { RcsCategory, RcsTemplateStatus, RcsTemplateType } from '@carillon/contract/channels/rcs/rcs-templates'
import { choiceFilter, type Filter } from '../../../ui/data-screen/filter.ts'
import { statusOptions } from '../../parts/templates/status-pill.tsx'
import { categoryLabels, statusLooks, typeLabels } from '../template-labels.tsx'
import { useRcsBots } from '../use-bots.ts'
import type { RcsTemplatesView } from './view.ts'

type SetView = (patch: Partial<RcsTemplatesView>) => void

/** Filters of the list. */
export function useRcsFilters(view: RcsTemplatesView, setView: SetView): Filter[] {
  const { bots } = useRcsBots()
  const set = (patch: Partial<RcsTemplatesView>) => setView({ ...patch, page: 1 })
  return [
    choiceFilter('bot', 'Bot', {
      options: bots.map(({ botId, name }) => ({ value: botId, label: name })),
      value: view.botId,
      onChange: (botId) => set({ botId }),
    }),
    choiceFilter('type', 'Type', {
      options: RcsTemplateType.options.map((value) => ({ value, label: typeLabels[value] })),
      value: view.type,
      onChange: (chosen) => set({ type: RcsTemplateType.options.find((value) => value === chosen) }),
    }),
    choiceFilter('status', 'Status', {
      options: statusOptions(RcsTemplateStatus.options, statusLooks),
      value: view.status,
      onChange: (chosen) => set({ status: RcsTemplateStatus.options.find((value) => value === chosen) }),
    }),
    choiceFilter('category', 'Category', {
      options: RcsCategory.options.map((value) => ({ value, label: categoryLabels[value] })),
      value: view.category,
      onChange: (chosen) => set({ category: RcsCategory.options.find((value) => value === chosen) }),
    }),
  ]
}
