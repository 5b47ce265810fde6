import type { RcsTemplate } from '@carillon/contract/channels/rcs/rcs-templates'
import { GalleryHorizontalEnd } from 'lucide-react'
import { mayCall } from '../../../lib/call.ts'
import { useApi } from '../../../lib/use-api.ts'
import { useView } from '../../../lib/use-view.ts'
import { sourceOf } from '../../../ui/data-screen/columns.ts'
import { isElsewhere } from '../../../ui/data-screen/is-elsewhere.ts'
import { FirstTemplate } from '../../parts/templates/first-template.tsx'
import { LayoutSwitch } from '../../parts/templates/layout-switch.tsx'
import { NewTemplateLink } from '../../parts/templates/new-template-link.tsx'
import { pagesOf } from '../../parts/templates/pages-of.ts'
import { TemplateGrid } from '../../parts/templates/template-grid.tsx'
import { TemplateList, type TemplateListParts } from '../../parts/templates/template-list.tsx'
import { useTemplateMenu } from '../../parts/templates/use-template-menu.tsx'
import { BulkDeleteRcs } from './bulk-delete.tsx'
import { rcsColumns, RcsRowCard } from './columns.tsx'
import { RcsDeleteDialog } from './delete-dialog.tsx'
import { useRcsFilters } from './filters.ts'
import { RcsGridCard } from './grid-card.tsx'
import { RcsPeekFoot, RcsTemplatePeek } from './peek.tsx'
import { rcsTemplateScreens } from './screens.ts'
import { rcsTexts } from './texts.ts'
import { queryOf, rcsTemplatesView, type RcsTemplatesView } from './view.ts'

/** Every RCS template in scope, as a list or on phones. */
export function RcsTemplatesPage() {
  const [view, setView] = useView(rcsTemplatesView)
  const templates = useApi(
    'rcsTemplates.list',
    { query: queryOf(view) },
    { keepPrevious: true, refetchInterval: 30_000 },
  )
  const isOpenElsewhere = isElsewhere(
    view.openId,
    templates.data?.templates.map(({ _id }) => _id),
  )
  const opened = useApi('rcsTemplates.get', { path: { id: view.openId ?? '' } }, { enabled: isOpenElsewhere })
  const { menu, dialog } = useRcsMenu()
  const filters = useRcsFilters(view, setView)

  const shared: TemplateListParts<RcsTemplate> = {
    title: rcsTexts.listTitle,
    ...pagesOf(view, setView, templates.data),
    actions: <Actions layout={view.layout} onLayout={(layout) => setView({ layout })} />,
    filters,
    source: sourceOf(templates, templates.data?.templates),
    empty: (
      <FirstTemplate screens={rcsTemplateScreens} icon={GalleryHorizontalEnd} title={rcsTexts.emptyTitle} example="rcs">
        {rcsTexts.emptyText}
      </FirstTemplate>
    ),
  }
  if (view.layout === 'grid' && mayCall('rcsTemplates.list'))
    return (
      <>
        <TemplateGrid
          {...shared}
          cards={(rows) => rows.map((row) => <RcsGridCard key={row._id} template={row} menu={menu(row)} />)}
        />
        {dialog}
      </>
    )
  return (
    <>
      <TemplateList
        {...shared}
        screens={rcsTemplateScreens}
        id="rcs-templates"
        columns={rcsColumns}
        rowId={({ _id }) => _id}
        card={(template) => <RcsRowCard template={template} />}
        rowMenu={menu}
        bulkDelete={
          mayCall('rcsTemplates.delete')
            ? (chosen, clear) => <BulkDeleteRcs templates={chosen} onDone={clear} />
            : undefined
        }
        peek={{
          id: view.openId,
          onPeek: (openId) => setView({ openId }),
          elsewhere: isOpenElsewhere ? opened.data : undefined,
          body: (template) => <RcsTemplatePeek template={template} />,
          footer: (template) => <RcsPeekFoot template={template} />,
        }}
      />
      {dialog}
    </>
  )
}

function useRcsMenu() {
  return useTemplateMenu<RcsTemplate>({
    screens: rcsTemplateScreens,
    idOf: ({ _id }) => _id,
    sendableId: ({ _id, status }) => (status === 'APPROVED' ? _id : undefined),
    mayDelete: mayCall('rcsTemplates.delete'),
    deleteDialog: (template, onClose) => <RcsDeleteDialog template={template} onClose={onClose} />,
  })
}

type ActionsProps = { layout: RcsTemplatesView['layout']; onLayout: (layout: RcsTemplatesView['layout']) => void }

function Actions({ layout, onLayout }: ActionsProps) {
  return (
    <>
      <LayoutSwitch layout={layout} onLayout={onLayout} />
      {mayCall('rcsTemplates.create') ? <NewTemplateLink screens={rcsTemplateScreens} primary /> : null}
    </>
  )
}
