import { useQueryClient, useMutation } from '@tanstack/react-query'
import { Copy, LayoutTemplate, Pencil, Plus, RotateCw, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useWabas } from '../use-wabas.ts'
import { call, mayCall, type CallError } from '../../../lib/call.ts'
import { countOf } from '../../../lib/format.ts'
import { refresh, useApi } from '../../../lib/use-api.ts'
import { useView } from '../../../lib/use-view.ts'
import { AreaLink, useGo } from '../../../ui/area-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { sourceOf } from '../../../ui/data-screen/columns.ts'
import { DataScreen } from '../../../ui/data-screen/data-screen.tsx'
import { isElsewhere } from '../../../ui/data-screen/is-elsewhere.ts'
import { Denied } from '../../../ui/denied.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { ExamplePhones } from '../../phone/example-phones.tsx'
import { SeeExample } from '../../phone/see-example.tsx'
import type { MenuItem } from '../../../ui/menu.tsx'
import { Page } from '../../../ui/page.tsx'
import { toast } from '../../../ui/toast.tsx'
import { WhatsappDeleteDialog } from './delete-dialog.tsx'
import { familiesOf, sendableOf, type TemplateFamily } from './families.ts'
import { WhatsappRowCard, whatsappColumns } from './columns.tsx'
import { useWhatsappFilters } from './filters.ts'
import { WhatsappPeekFoot, WhatsappTemplatePeek } from './peek.tsx'
import { fromStart, queryOf, whatsappTemplatesView } from './view.ts'
import { WhatsappTemplateBulk } from './bulk-delete.tsx'
import { whatsappTexts } from './texts.ts'

const builder = 'manage-templates/whatsapp/whatsapp-template-creation'

/** Every WhatsApp template in scope: its languages together, its state, and why it is not sent if it is not. */
export function WhatsappTemplatesPage() {
  const [view, setView] = useView(whatsappTemplatesView)
  const [deleting, setDeleting] = useState<TemplateFamily>()
  const [isWaiting, setWaiting] = useState(false)
  const templates = useApi(
    'waTemplates.list',
    { query: queryOf(view) },
    { keepPrevious: true, refetchInterval: isWaiting ? 3000 : 30_000 },
  )
  const hasPending = templates.data?.data.some(({ status }) => status === 'PENDING') ?? false
  // What is in review may be over any moment.
  if (hasPending !== isWaiting) setWaiting(hasPending)
  const families = templates.data && familiesOf(templates.data.data)
  const elsewhere = useFamilyElsewhere(view.c, families)
  const menu = useFamilyMenu(setDeleting)
  const filters = useWhatsappFilters(view, setView)
  const go = useGo()
  if (!mayCall('waTemplates.list')) return <Shut />

  const paging = templates.data?.paging
  function turn(page: number) {
    if (page > view.p) setView({ p: page, a: paging?.cursors.after ?? '', b: '' })
    else if (page <= 1) setView(fromStart)
    else setView({ p: page, a: '', b: paging?.cursors.before ?? '' })
  }
  return (
    <>
      <DataScreen<TemplateFamily>
        id="whatsapp-templates"
        title={whatsappTexts.listTitle}
        noun="templates"
        actions={<Actions wabaId={view.w} />}
        search={{
          label: 'Search templates',
          value: view.q,
          onValueChange: (q) => setView({ q, ...fromStart }, { replace: true }),
        }}
        filters={filters}
        source={sourceOf(templates, families)}
        columns={whatsappColumns}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        card={(family) => <WhatsappRowCard family={family} />}
        rowMenu={menu}
        {...(mayCall('waTemplates.delete')
          ? { bulk: (chosen, clear) => <WhatsappTemplateBulk families={chosen} onDone={clear} /> }
          : {})}
        onOpen={({ id }) => go(builder, { c: id })}
        peek={{
          id: view.c,
          onPeek: (c) => setView({ c }),
          elsewhere,
          render: (family) => ({
            title: family.name,
            name: family.name,
            body: <WhatsappTemplatePeek key={family.id} family={family} />,
            footer: <WhatsappPeekFoot family={family} />,
          }),
        }}
        paging={{
          page: view.p,
          pageSize: view.n,
          onPage: turn,
          onPageSize: (n) => setView({ n, ...fromStart }),
          hasNext: paging?.next !== undefined,
        }}
        empty={<FirstTemplate />}
      />
      {deleting ? <WhatsappDeleteDialog family={deleting} onClose={() => setDeleting(undefined)} /> : null}
    </>
  )
}

/** What can be done with a template in all its languages. */
function useFamilyMenu(onDelete: (family: TemplateFamily) => void) {
  const go = useGo()
  return (family: TemplateFamily): MenuItem[] => [
    { label: 'Edit', icon: Pencil, onSelect: () => go(builder, { c: family.id }) },
    { label: 'Duplicate', icon: Copy, onSelect: () => go(builder, { c: family.id, v: '1' }) },
    {
      label: 'Use in campaign',
      icon: Send,
      onSelect: () => go('campaigns/whatsapp-campaign-creation', { m: sendableOf(family)?._id ?? '' }),
      disabled: sendableOf(family) ? undefined : 'Only approved templates can be sent',
    },
    'separator',
    { label: 'Delete…', icon: Trash2, destructive: true, onSelect: () => onDelete(family) },
  ]
}

/** The open template, where it is on another page, or the family of the language that was opened. */
function useFamilyElsewhere(id: string | undefined, families: readonly TemplateFamily[] | undefined) {
  const enabled = isElsewhere(
    id,
    families?.map((family) => family.id),
  )
  const read = useApi('waTemplates.get', { path: { id: id ?? '' } }, { enabled })
  if (!enabled) return undefined
  const known = families?.find(({ variants }) => variants.some(({ _id }) => _id === id))
  return known ?? (read.data && familiesOf([read.data])[0])
}

function Actions({ wabaId }: { wabaId: string | undefined }) {
  return (
    <>
      <AskMeta wabaId={wabaId} />
      <Button asChild variant="primary" size="sm">
        <AreaLink to={builder}>
          <Plus aria-hidden /> New WhatsApp template
        </AreaLink>
      </Button>
    </>
  )
}

/** Asks for all templates of the chosen account, or of each. */
function AskMeta({ wabaId }: { wabaId: string | undefined }) {
  const { wabas } = useWabas()
  const queries = useQueryClient()
  const ask = useMutation<number, CallError>({
    async mutationFn() {
      const ids = wabaId ? [wabaId] : wabas.map(({ waba_id }) => waba_id)
      const answers = await Promise.all(ids.map((waba_id) => call('waTemplates.sync', { body: { waba_id } })))
      return answers.reduce((sum, { changed }) => sum + changed, 0)
    },
    onSuccess: (changed) => {
      void refresh(queries, ['waTemplates.list', 'waTemplates.get'])
      toast.success(
        changed === 0 ? 'Everything is up to date' : `${countOf(changed, 'template has', 'templates have')} changed`,
      )
    },
    onError: (error) => toast.error(error.message),
  })
  if (wabas.length === 0) return null
  return (
    <Button variant="ghost" size="sm" loading={ask.isPending} onClick={() => ask.mutate()} className="max-md:hidden">
      <RotateCw aria-hidden /> Refresh from Meta
    </Button>
  )
}

function Shut() {
  return (
    <Page title={whatsappTexts.listTitle}>
      <Denied />
    </Page>
  )
}

function FirstTemplate() {
  return (
    <Empty
      icon={LayoutTemplate}
      picture={<ExamplePhones />}
      title={whatsappTexts.emptyTitle}
      actions={
        <>
          <Button asChild size="sm">
            <AreaLink to={builder}>
              <Plus aria-hidden /> New WhatsApp template
            </AreaLink>
          </Button>
          <SeeExample first="whatsapp" />
        </>
      }
    >
      {whatsappTexts.emptyText}
    </Empty>
  )
}
