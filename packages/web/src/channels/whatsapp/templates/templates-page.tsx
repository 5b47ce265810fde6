import { LayoutTemplate } from 'lucide-react'
import { useState } from 'react'
import { mayCall } from '../../../lib/call.ts'
import { useApi } from '../../../lib/use-api.ts'
import { useView } from '../../../lib/use-view.ts'
import { sourceOf } from '../../../ui/data-screen/columns.ts'
import { isElsewhere } from '../../../ui/data-screen/is-elsewhere.ts'
import { FirstTemplate } from '../../parts/templates/first-template.tsx'
import { NewTemplateLink } from '../../parts/templates/new-template-link.tsx'
import { TemplateList } from '../../parts/templates/template-list.tsx'
import { useTemplateMenu } from '../../parts/templates/use-template-menu.tsx'
import { BulkDeleteWhatsapp } from './bulk-delete.tsx'
import { WhatsappRowCard, whatsappColumns } from './columns.tsx'
import { WhatsappDeleteDialog } from './delete-dialog.tsx'
import { familiesOf, sendableOf, type TemplateFamily } from './families.ts'
import { useWhatsappFilters } from './filters.ts'
import { whatsappTemplateScreens } from './screens.ts'
import { WhatsappPeekFoot, WhatsappTemplatePeek } from './peek.tsx'
import { RefreshFromMeta } from './refresh-from-meta.tsx'
import { whatsappTexts } from './texts.ts'
import { fromStart, queryOf, whatsappTemplatesView } from './view.ts'

/** The WhatsApp templates in scope: languages grouped, with status and the reason if one cannot be sent. */
export function WhatsappTemplatesPage() {
  const [view, setView] = useView(whatsappTemplatesView)
  const templates = useTemplatesInReview(queryOf(view))
  const families = templates.data && familiesOf(templates.data.data)
  const elsewhere = useFamilyElsewhere(view.openId, families)
  const { menu, dialog } = useFamilyMenu()
  const filters = useWhatsappFilters(view, setView)

  const paging = templates.data?.paging
  function turn(page: number) {
    if (page > view.page) setView({ page, after: paging?.cursors.after ?? '', before: '' })
    else if (page <= 1) setView(fromStart)
    else setView({ page, after: '', before: paging?.cursors.before ?? '' })
  }
  return (
    <>
      <TemplateList
        screens={whatsappTemplateScreens}
        id="whatsapp-templates"
        title={whatsappTexts.listTitle}
        actions={
          <>
            <RefreshFromMeta wabaId={view.wabaId} />
            <NewTemplateLink screens={whatsappTemplateScreens} primary />
          </>
        }
        search={{
          label: 'Search templates',
          value: view.search,
          onValueChange: (search) => setView({ search, ...fromStart }, { replace: true }),
        }}
        filters={filters}
        source={sourceOf(templates, families)}
        columns={whatsappColumns}
        rowId={({ id }) => id}
        card={(family) => <WhatsappRowCard family={family} />}
        rowMenu={menu}
        bulkDelete={
          mayCall('waTemplates.delete')
            ? (chosen, clear) => <BulkDeleteWhatsapp families={chosen} onDone={clear} />
            : undefined
        }
        peek={{
          id: view.openId,
          onPeek: (openId) => setView({ openId }),
          elsewhere,
          body: (family) => <WhatsappTemplatePeek key={family.id} family={family} />,
          footer: (family) => <WhatsappPeekFoot family={family} />,
        }}
        paging={{
          page: view.page,
          pageSize: view.pageSize,
          onPage: turn,
          onPageSize: (pageSize) => setView({ pageSize, ...fromStart }),
          hasNext: paging?.next !== undefined,
        }}
        empty={
          <FirstTemplate
            screens={whatsappTemplateScreens}
            icon={LayoutTemplate}
            title={whatsappTexts.emptyTitle}
            example="whatsapp"
          >
            {whatsappTexts.emptyText}
          </FirstTemplate>
        }
      />
      {dialog}
    </>
  )
}

/** Refreshed more often while a template is in review, which may end at any time. */
function useTemplatesInReview(query: ReturnType<typeof queryOf>) {
  const [isWaiting, setWaiting] = useState(false)
  const templates = useApi(
    'waTemplates.list',
    { query },
    { keepPrevious: true, refetchInterval: isWaiting ? 3000 : 30_000 },
  )
  const hasPending = templates.data?.data.some(({ status }) => status === 'PENDING') ?? false
  if (hasPending !== isWaiting) setWaiting(hasPending)
  return templates
}

/** Actions on a template in all its languages. */
function useFamilyMenu() {
  return useTemplateMenu<TemplateFamily>({
    screens: whatsappTemplateScreens,
    idOf: ({ id }) => id,
    sendableId: (family) => sendableOf(family)?._id,
    mayDelete: mayCall('waTemplates.delete'),
    deleteDialog: (family, onClose) => <WhatsappDeleteDialog family={family} onClose={onClose} />,
  })
}

/** The open template, if it is on another page, or the group of the opened language. */
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
