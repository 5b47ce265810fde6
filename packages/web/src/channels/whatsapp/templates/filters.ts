import {
  WhatsappCategory,
  WhatsappTemplateQuality,
  WhatsappTemplateStatus,
} from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { statusOptions } from '../../parts/templates/status-pill.tsx'
import { categoryLabels, qualityLabels, statusLooks, templateLanguages } from '../template-labels.tsx'
import { useWabas } from '../use-wabas.ts'
import { choiceFilter, type Filter } from '../../../ui/data-screen/filter.ts'
import { fromStart, type WhatsappTemplatesView } from './view.ts'

type SetView = (patch: Partial<WhatsappTemplatesView>) => void

/** Filters of the list. */
export function useWhatsappFilters(view: WhatsappTemplatesView, setView: SetView): Filter[] {
  const { wabas } = useWabas()
  const set = (patch: Partial<WhatsappTemplatesView>) => setView({ ...patch, ...fromStart })
  return [
    choiceFilter('account', 'Account', {
      options: wabas.map(({ waba_id, name }) => ({ value: waba_id, label: name })),
      value: view.wabaId,
      onChange: (wabaId) => set({ wabaId }),
    }),
    choiceFilter('status', 'Status', {
      options: statusOptions(WhatsappTemplateStatus.options, statusLooks),
      value: view.status,
      onChange: (chosen) => set({ status: WhatsappTemplateStatus.options.find((value) => value === chosen) }),
    }),
    choiceFilter('category', 'Category', {
      options: WhatsappCategory.options.map((value) => ({ value, label: categoryLabels[value] })),
      value: view.category,
      onChange: (chosen) => set({ category: WhatsappCategory.options.find((value) => value === chosen) }),
    }),
    choiceFilter('language', 'Language', {
      options: templateLanguages,
      value: view.language,
      onChange: (chosen) => set({ language: templateLanguages.find(({ value }) => value === chosen)?.value }),
    }),
    choiceFilter('quality', 'Quality', {
      options: WhatsappTemplateQuality.options.map((value) => ({ value, label: qualityLabels[value] })),
      value: view.quality,
      onChange: (chosen) => set({ quality: WhatsappTemplateQuality.options.find((value) => value === chosen) }),
    }),
  ]
}
