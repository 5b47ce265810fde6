import type { TemplateFamily } from '@carillon/contract/template-families'
import { Layers, Pencil, Plus, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { mayCreateUnified, unifiedCampaignPath } from '../../../channels/campaign-wizards.ts'
import { ExamplePhones } from '../../../channels/phone/example-phones.tsx'
import { SeeExample } from '../../../channels/phone/see-example.tsx'
import { mayCall } from '../../../lib/call.ts'
import { familyCampaignLink } from '../../../lib/links.ts'
import { writeView } from '../../../lib/url-state.ts'
import { useApi } from '../../../lib/use-api.ts'
import { useView } from '../../../lib/use-view.ts'
import { AreaLink, useGo } from '../../../ui/area-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { sourceOf } from '../../../ui/data-screen/columns.ts'
import { DataScreen } from '../../../ui/data-screen/data-screen.tsx'
import { choiceFilter, type Filter } from '../../../ui/data-screen/filter.ts'
import type { Peek } from '../../../ui/data-screen/peek-sheet.tsx'
import { isElsewhere } from '../../../ui/data-screen/is-elsewhere.ts'
import { Empty } from '../../../ui/empty.tsx'
import type { MenuItem } from '../../../ui/menu.tsx'
import { DeleteFamilyDialog } from './delete-family-dialog.tsx'
import { familiesView, queryOf, type FamiliesView } from './families-view.ts'
import { FamilyCard, familyColumns, ReadyPill } from './family-columns.tsx'
import { FamilyPeek } from './family-peek.tsx'
import { texts } from './texts.ts'

const readyOptions = [
  { value: 'ready', label: 'Ready' },
  { value: 'not_ready', label: 'Not ready' },
] as const

/** Every template family of the organisation. */
export function FamilyList() {
  const [view, setView] = useView(familiesView)
  const go = useGo()
  const [deleting, setDeleting] = useState<TemplateFamily>()
  const families = useApi('families.list', { query: queryOf(view) }, { keepPrevious: true })
  const rows = families.data?.families
  const pagination = families.data?.pagination
  const isOpenElsewhere = isElsewhere(
    view.openId,
    rows?.map(({ _id }) => _id),
  )
  const opened = useApi('families.get', { path: { id: view.openId ?? '' } }, { enabled: isOpenElsewhere })
  const edit = ({ _id }: TemplateFamily) => setView({ mode: 'edit', openId: _id })
  const create = () => setView({ mode: 'edit', openId: undefined })
  const menu = (family: TemplateFamily): MenuItem[] => [
    { label: 'Edit', icon: Pencil, onSelect: () => edit(family) },
    ...(mayCreateUnified()
      ? [
          {
            label: 'Use in campaign',
            icon: Send,
            onSelect: () => go(unifiedCampaignPath, writeView(familyCampaignLink, { familyId: family._id })),
            disabled: family.isReady ? undefined : 'Some of its templates cannot be sent',
          },
        ]
      : []),
    'separator',
    { label: 'Delete…', icon: Trash2, destructive: true, onSelect: () => setDeleting(family) },
  ]

  return (
    <>
      <DataScreen<TemplateFamily>
        id="template-families"
        title={texts.title}
        noun="families"
        count={pagination?.total}
        actions={
          mayCall('families.create') ? (
            <Button variant="primary" size="sm" onClick={create}>
              <Plus aria-hidden /> New family
            </Button>
          ) : null
        }
        search={{
          label: 'Search families',
          value: view.search,
          onValueChange: (search) => setView({ search, page: 1 }, { replace: true }),
        }}
        filters={[readyFilter(view.ready, (ready) => setView({ ready, page: 1 }))]}
        source={sourceOf(families, rows)}
        columns={familyColumns()}
        rowId={({ _id }) => _id}
        rowName={({ name }) => name}
        card={(family) => <FamilyCard family={family} />}
        rowMenu={menu}
        onOpen={edit}
        peek={{
          id: view.openId,
          onPeek: (openId) => setView({ openId }),
          elsewhere: isOpenElsewhere ? opened.data : undefined,
          render: (family) => peekOf(family, () => edit(family)),
        }}
        paging={{
          page: view.page,
          pageSize: view.pageSize,
          onPage: (page) => setView({ page }),
          onPageSize: (pageSize) => setView({ pageSize, page: 1 }),
          totalPages: pagination?.totalPages,
          total: pagination?.total,
        }}
        empty={<FirstFamily onCreate={create} />}
      />
      {deleting ? <DeleteFamilyDialog family={deleting} onClose={() => setDeleting(undefined)} /> : null}
    </>
  )
}

function peekOf(family: TemplateFamily, onEdit: () => void): Peek {
  return {
    title: (
      <>
        <span className="truncate">{family.name}</span>
        <ReadyPill family={family} />
      </>
    ),
    name: family.name,
    isWide: true,
    body: <FamilyPeek family={family} />,
    footer: (
      <>
        <Button size="sm" onClick={onEdit}>
          Edit
        </Button>
        {mayCreateUnified() && family.isReady ? <UseInCampaign family={family} /> : null}
      </>
    ),
  }
}

function UseInCampaign({ family: { _id } }: { family: TemplateFamily }) {
  return (
    <Button size="sm" variant="primary" className="ml-auto" asChild>
      <AreaLink to={unifiedCampaignPath} search={writeView(familyCampaignLink, { familyId: _id })}>
        Use in campaign
      </AreaLink>
    </Button>
  )
}

type Ready = FamiliesView['ready']

function readyFilter(value: Ready, onChange: (ready: Ready) => void): Filter {
  return choiceFilter('ready', 'Status', {
    options: readyOptions,
    value,
    onChange: (chosen) => onChange(readyOptions.find((option) => option.value === chosen)?.value),
  })
}

function FirstFamily({ onCreate }: { onCreate: () => void }) {
  return (
    <Empty
      icon={Layers}
      picture={<ExamplePhones />}
      title={texts.emptyTitle}
      actions={
        <>
          <Button size="sm" onClick={onCreate}>
            <Plus aria-hidden /> New family
          </Button>
          <SeeExample />
        </>
      }
    >
      {texts.emptyText}
    </Empty>
  )
}
