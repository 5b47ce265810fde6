import { truncate } from '@carillon/contract/text'
import type { WhatsappTemplate } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { MessageCircle } from 'lucide-react'
import type { ReactNode } from 'react'
import { useWabas } from '../use-wabas.ts'
import { mayCall } from '../../../lib/call.ts'
import { choiceParam, defineView, idParam } from '../../../lib/url-state.ts'
import { useApi } from '../../../lib/use-api.ts'
import { useView } from '../../../lib/use-view.ts'
import { AreaLink } from '../../../ui/area-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { Denied } from '../../../ui/denied.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Page } from '../../../ui/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/skeleton.tsx'
import { copyOf, emptyForm, formOf, type WhatsappForm } from './form.ts'
import { WhatsappTemplateEditor, type WabaChoice } from './editor.tsx'
import { whatsappTexts } from './texts.ts'

const view = defineView({ c: idParam(), v: choiceParam(['edit', 'copy'], 'edit') })

/** A new template, a change of one in all its languages (`?c=`), or a copy of one. */
export function WhatsappTemplatePage() {
  const [{ c: id, v: mode }] = useView(view)
  const { wabas, form, isPending, error, retry } = useInitialForm(id, mode)
  if (!mayCall('waTemplates.create'))
    return (
      <Bare>
        <Denied />
      </Bare>
    )

  if (error)
    return (
      <Bare>
        <Failure error={error} onRetry={retry} />
      </Bare>
    )
  if (isPending) {
    return (
      <Loading label="Loading the template">
        <SkeletonLines count={8} />
      </Loading>
    )
  }
  if (!form)
    return (
      <Bare>
        <NoAccount />
      </Bare>
    )
  return (
    <WhatsappTemplateEditor
      key={`${id} ${mode}`}
      initial={form}
      wabas={wabas}
      title={whatsappTexts.newTitle}
      draftName={`whatsapp-template.${id ? `${mode}.${id}` : 'new'}`}
    />
  )
}

/** The page title without the editor. */
function Bare({ children }: { children: ReactNode }) {
  return <Page title={whatsappTexts.newTitle}>{children}</Page>
}

/** What the builder begins with: a template with its other languages, a copy, or nothing written yet. */
function useInitialForm(id: string | undefined, mode: 'edit' | 'copy') {
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

/** The other languages: the list finds them by the name. */
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
  mode: 'edit' | 'copy'
  siblings: readonly WhatsappTemplate[]
}

function initialForm({ wabas, template, mode, siblings }: Initial): WhatsappForm | undefined {
  if (template) return mode === 'copy' ? copyOf(template) : formOf(template, siblings)
  const [only] = wabas
  if (!only) return undefined
  return emptyForm(wabas.length === 1 ? only.waba_id : '')
}

function NoAccount() {
  return (
    <Empty
      icon={MessageCircle}
      title="Connect WhatsApp first"
      actions={
        <Button asChild variant="primary">
          <AreaLink to="channels/whatsapp">Open WhatsApp</AreaLink>
        </Button>
      }
    >
      A template belongs to a WhatsApp account with a number that is on.
    </Empty>
  )
}
