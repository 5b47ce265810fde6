import type { SmsTemplate } from '@carillon/contract/channels/sms/sms-templates'
import { ClipboardPaste } from 'lucide-react'
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
import { BulkDeleteSms } from './bulk-delete.tsx'
import { templateColumns, TemplateRowCard } from './columns.tsx'
import { useTemplateFilters } from './filters.ts'
import { GridCard } from './grid-card.tsx'
import { smsTemplateScreens } from './screens.ts'
import { TemplatePeek, TemplatePeekFoot } from './peek.tsx'
import { texts } from './texts.ts'
import { useSmsTemplateMenu } from './use-menu.tsx'
import { usePasteApproval } from './use-paste-approval.ts'
import { queryOf, templatesView, type TemplatesView } from './view.ts'

/** Every SMS template in scope, as a list or as bubbles. */
export function SmsTemplatesPage() {
  const [view, setView] = useView(templatesView)
  const templates = useApi('smsTemplates.list', { query: queryOf(view) }, { keepPrevious: true })
  const listed = templates.data?.templates.map(({ _id }) => _id)
  const isOpenElsewhere = isElsewhere(view.openId, listed)
  const opened = useApi('smsTemplates.get', { path: { id: view.openId ?? '' } }, { enabled: isOpenElsewhere })
  const { menu, dialog } = useSmsTemplateMenu()
  const filters = useTemplateFilters(view, setView)
  usePasteApproval()

  const shared: TemplateListParts<SmsTemplate> = {
    title: texts.listTitle,
    ...pagesOf(view, setView, templates.data),
    actions: <Actions layout={view.layout} onLayout={(layout) => setView({ layout })} />,
    filters,
    source: sourceOf(templates, templates.data?.templates),
    empty: (
      <FirstTemplate screens={smsTemplateScreens} icon={ClipboardPaste} title={texts.emptyTitle} example="sms">
        {texts.emptyText}
      </FirstTemplate>
    ),
  }
  if (view.layout === 'grid' && mayCall('smsTemplates.list'))
    return (
      <>
        <TemplateGrid
          {...shared}
          cards={(rows) => rows.map((row) => <GridCard key={row._id} template={row} menu={menu(row)} />)}
        />
        {dialog}
      </>
    )
  return (
    <>
      <TemplateList
        {...shared}
        screens={smsTemplateScreens}
        id="sms-templates"
        columns={templateColumns}
        rowId={({ _id }) => _id}
        card={(template) => <TemplateRowCard template={template} />}
        rowMenu={menu}
        bulkDelete={
          mayCall('smsTemplates.delete')
            ? (chosen, clear) => <BulkDeleteSms templates={chosen} onDone={clear} />
            : undefined
        }
        peek={{
          id: view.openId,
          onPeek: (openId) => setView({ openId }),
          elsewhere: isOpenElsewhere ? opened.data : undefined,
          body: (template) => <TemplatePeek template={template} />,
          footer: (template) => <TemplatePeekFoot template={template} />,
        }}
      />
      {dialog}
    </>
  )
}

type ActionsProps = { layout: TemplatesView['layout']; onLayout: (layout: TemplatesView['layout']) => void }

function Actions({ layout, onLayout }: ActionsProps) {
  return (
    <>
      <LayoutSwitch layout={layout} onLayout={onLayout} />
      {mayCall('smsTemplates.create') ? <NewTemplateLink screens={smsTemplateScreens} primary /> : null}
    </>
  )
}
