import { truncate } from '@carillon/contract/text'
import type { WhatsappTemplate } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { MessageCircle } from 'lucide-react'
import { useWabas } from '../use-wabas.ts'
import { useApi } from '../../../lib/use-api.ts'
import { useView } from '../../../lib/use-view.ts'
import { EditorGate } from '../../parts/templates/editor-gate.tsx'
import { draftNameOf, editorView, type EditorMode } from '../../parts/templates/editor-view.ts'
import { copyOf, emptyForm, formOf, type WhatsappForm } from './form.ts'
import { WhatsappTemplateEditor, type WabaChoice } from './editor.tsx'
import { whatsappTemplateScreens } from './screens.ts'
import { whatsappTexts } from './texts.ts'

const noAccount = {
  icon: MessageCircle,
  title: 'Connect WhatsApp first',
  text: 'A template belongs to a WhatsApp account with a number that is on.',
  to: 'channels/whatsapp',
  action: 'Open WhatsApp',
}

/** A new template, a change of one in all its languages, or a copy of one. */
export function WhatsappTemplatePage() {
  const [{ templateId: id, mode }] = useView(editorView)
  const { wabas, form, ...read } = useInitialForm(id, mode)
  return (
    <EditorGate screens={whatsappTemplateScreens} noAccount={noAccount} hasAccount={form !== undefined} read={read}>
      {() =>
        form ? (
          <WhatsappTemplateEditor
            key={`${id} ${mode}`}
            initial={form}
            wabas={wabas}
            title={whatsappTexts.newTitle}
            draftName={draftNameOf('whatsapp', id, mode)}
          />
        ) : null
      }
    </EditorGate>
  )
}

/** The initial content: a template in all its languages, a copy, or nothing. */
function useInitialForm(id: string | undefined, mode: EditorMode) {
  const { wabas, isPending, error, retry } = useWabas()
  const template = useApi(
    'waTemplates.get',
    { path: { id: id ?? '' } },
    { enabled: id !== undefined, staleTime: Infinity },
  )
  const siblings = useSiblings(mode === 'edit' ? template.data : undefined)
  const isReading = id !== undefined && (template.isPending || siblings.isFetching)
  return {
    wabas,
    form: initialForm({ wabas, template: template.data, mode, siblings: siblings.data?.data ?? [] }),
    isPending: isPending || (isReading && !template.error),
    error: error ?? template.error,
    retry: template.error ? () => void template.refetch() : retry,
  }
}

/** The other languages are found by name. */
function useSiblings(template: WhatsappTemplate | undefined) {
  const { name: search, waba_id } = template ?? { name: '', waba_id: undefined }
  return useApi(
    'waTemplates.list',
    { query: { limit: 100, search: truncate(search, 80), ...(waba_id ? { waba_id } : {}) } },
    { enabled: template !== undefined, staleTime: Infinity },
  )
}

type Initial = {
  wabas: readonly WabaChoice[]
  template: WhatsappTemplate | undefined
  mode: EditorMode
  siblings: readonly WhatsappTemplate[]
}

function initialForm({ wabas, template, mode, siblings }: Initial): WhatsappForm | undefined {
  if (template) return mode === 'copy' ? copyOf(template) : formOf(template, siblings)
  const [only] = wabas
  if (!only) return undefined
  return emptyForm(wabas.length === 1 ? only.waba_id : '')
}
