import { GalleryHorizontalEnd } from 'lucide-react'
import { useApi } from '../../../lib/use-api.ts'
import { useView } from '../../../lib/use-view.ts'
import { EditorGate } from '../../parts/templates/editor-gate.tsx'
import { draftNameOf, editorView, type EditorMode } from '../../parts/templates/editor-view.ts'
import { useRcsBots } from '../use-bots.ts'
import { RcsTemplateEditor } from './editor.tsx'
import { copyOf, emptyForm, formOf } from './form.ts'
import { rcsTemplateScreens } from './screens.ts'

const noAccount = {
  icon: GalleryHorizontalEnd,
  title: 'Add an RCS bot first',
  text: 'A template is shown in the name of a bot.',
  to: 'channels/rcs',
  action: 'Open RCS',
}

/** A new template, a change of one, or a copy of one. */
export function RcsTemplatePage() {
  const [{ templateId: id, mode }] = useView(editorView)
  const { bots, form, ...read } = useInitialForm(id, mode)
  return (
    <EditorGate screens={rcsTemplateScreens} noAccount={noAccount} hasAccount={form !== undefined} read={read}>
      {() =>
        form ? (
          <RcsTemplateEditor
            key={`${id} ${mode}`}
            initial={form}
            bots={bots}
            draftName={draftNameOf('rcs', id, mode)}
          />
        ) : null
      }
    </EditorGate>
  )
}

/** The initial content: a template, a copy, or nothing. */
function useInitialForm(id: string | undefined, mode: EditorMode) {
  const { bots, isPending, error, retry } = useRcsBots()
  const template = useApi(
    'rcsTemplates.get',
    { path: { id: id ?? '' } },
    { enabled: id !== undefined, staleTime: Infinity },
  )
  const [first] = bots
  const opened = template.data && (mode === 'copy' ? copyOf(template.data) : formOf(template.data))
  return {
    bots,
    form: opened ?? (first ? emptyForm(bots.length === 1 ? first.botId : null) : undefined),
    isPending: isPending || (id !== undefined && template.isPending && !template.error),
    error: error ?? template.error,
    retry: template.error ? () => void template.refetch() : retry,
  }
}
