import { WhatsappCategory, WhatsappTemplateStatus } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { categoryLabels, qualityLabels, templateLanguages, templateStatusLabels } from '../template-labels.tsx'
import { useWabas } from '../use-wabas.ts'
import type { Filter } from '../../../ui/data-screen/filter.ts'
import { fromStart, qualities, type WhatsappTemplatesView } from './view.ts'

type SetView = (patch: Partial<WhatsappTemplatesView>) => void
type Choice = Extract<Filter, { kind: 'choice' }>

/** What the list can be narrowed by. */
export function useWhatsappFilters(view: WhatsappTemplatesView, setView: SetView): Filter[] {
  const { wabas } = useWabas()
  const set = (patch: Partial<WhatsappTemplatesView>) => setView({ ...patch, ...fromStart })
  return [
    choice('account', 'Account', {
      options: wabas.map(({ waba_id, name }) => ({ value: waba_id, label: name })),
      value: view.w,
      onChange: (w) => set({ w }),
    }),
    choice('status', 'Status', {
      options: WhatsappTemplateStatus.options.map((value) => ({ value, label: templateStatusLabels[value] ?? value })),
      value: view.f,
      onChange: (chosen) => set({ f: WhatsappTemplateStatus.options.find((value) => value === chosen) }),
    }),
    choice('category', 'Category', {
      options: WhatsappCategory.options.map((value) => ({ value, label: categoryLabels[value] })),
      value: view.k,
      onChange: (chosen) => set({ k: WhatsappCategory.options.find((value) => value === chosen) }),
    }),
    choice('language', 'Language', {
      options: templateLanguages,
      value: view.l,
      onChange: (chosen) => set({ l: templateLanguages.find(({ value }) => value === chosen)?.value }),
    }),
    choice('quality', 'Quality', {
      options: qualities.map((value) => ({ value, label: qualityLabels[value] })),
      value: view.g,
      onChange: (chosen) => set({ g: qualities.find((value) => value === chosen) }),
    }),
  ]
}

function choice(id: string, label: string, rest: Pick<Choice, 'options' | 'value' | 'onChange'>): Filter {
  return { id, label, kind: 'choice', ...rest }
}
