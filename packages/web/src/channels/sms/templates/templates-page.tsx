import type { SmsTemplate } from '@carillon/contract/channels/sms/sms-templates'
import { ClipboardPaste, LayoutGrid, List, Plus } from 'lucide-react'
import { mayCall } from '../../../lib/call.ts'
import { useApi } from '../../../lib/use-api.ts'
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
import { Segmented } from '../../../ui/segmented.tsx'
import { TemplateBulk } from './bulk-delete.tsx'
import { templateColumns, TemplateRowCard } from './columns.tsx'
import { useTemplateFilters } from './filters.ts'
import { TemplateGrid } from '../../parts/templates/template-grid.tsx'
import { TemplatePeek, TemplatePeekFoot } from './peek.tsx'
import { queryOf, templatesView, type TemplatesView } from './view.ts'
import { texts } from './texts.ts'
import { usePasteApproval } from './use-paste-approval.ts'
import { useTemplateMenu } from './use-menu.tsx'

/** Every SMS template in scope, as a list or as bubbles. */
export function SmsTemplatesPage() {
  const [view, setView] = useView(templatesView)
  const templates = useApi('smsTemplates.list', { query: queryOf(view) }, { keepPrevious: true })
  const listed = templates.data?.templates.map(({ _id }) => _id)
  const isOpenElsewhere = isElsewhere(view.c, listed)
  const opened = useApi('smsTemplates.get', { path: { id: view.c ?? '' } }, { enabled: isOpenElsewhere })
  const { menu, dialog } = useTemplateMenu()
  const go = useGo()
  const filters = useTemplateFilters(view, setView)
  usePasteApproval()
  if (!mayCall('smsTemplates.list')) return <Denied />

  const search = {
    label: 'Search templates',
    value: view.q,
    onValueChange: (q: string) => setView({ q, p: 1 }, { replace: true }),
  }
  const paging = {
    page: view.p,
    pageSize: view.n,
    onPage: (p: number) => setView({ p }),
    onPageSize: (n: number) => setView({ n, p: 1 }),
    totalPages: templates.data?.totalPages,
    total: templates.data?.total,
  }
  const shared = {
    title: texts.listTitle,
    count: templates.data?.total,
    actions: <Actions shape={view.v} onShape={(v) => setView({ v })} />,
    search,
    filters,
    source: sourceOf(templates, templates.data?.templates),
    paging,
    empty: <FirstTemplate />,
  }
  if (view.v === 'grid')
    return (
      <>
        <TemplateGrid {...shared} menu={menu} />
        {dialog}
      </>
    )
  return (
    <>
      <DataScreen<SmsTemplate>
        {...shared}
        id="sms-templates"
        noun="templates"
        columns={templateColumns}
        rowId={({ _id }) => _id}
        rowName={({ name }) => name}
        card={(template) => <TemplateRowCard template={template} />}
        rowMenu={menu}
        {...(mayCall('smsTemplates.delete')
          ? { bulk: (chosen, clear) => <TemplateBulk templates={chosen} onDone={clear} /> }
          : {})}
        onOpen={({ _id }) => go('manage-templates/create-sms', { c: _id })}
        peek={{
          id: view.c,
          onPeek: (c) => setView({ c }),
          elsewhere: isOpenElsewhere ? opened.data : undefined,
          render: (template) => ({
            title: template.name,
            name: template.name,
            body: <TemplatePeek template={template} />,
            footer: <TemplatePeekFoot template={template} />,
          }),
        }}
      />
      {dialog}
    </>
  )
}

type ActionsProps = { shape: TemplatesView['v']; onShape: (shape: TemplatesView['v']) => void }

function Actions({ shape, onShape }: ActionsProps) {
  return (
    <>
      <span className="max-md:hidden">
        <Segmented
          label="Show as"
          value={shape}
          onValueChange={onShape}
          options={[
            { value: 'list', label: <List aria-hidden />, name: 'List' },
            { value: 'grid', label: <LayoutGrid aria-hidden />, name: 'Grid' },
          ]}
        />
      </span>
      {mayCall('smsTemplates.create') ? (
        <Button asChild variant="primary" size="sm">
          <AreaLink to="manage-templates/create-sms">
            <Plus aria-hidden /> New SMS template
          </AreaLink>
        </Button>
      ) : null}
    </>
  )
}

function FirstTemplate() {
  return (
    <Empty
      icon={ClipboardPaste}
      picture={<ExamplePhones />}
      title={texts.emptyTitle}
      actions={
        <>
          <Button asChild size="sm">
            <AreaLink to="manage-templates/create-sms">
              <Plus aria-hidden /> New SMS template
            </AreaLink>
          </Button>
          <SeeExample first="sms" />
        </>
      }
    >
      {texts.emptyText}
    </Empty>
  )
}
