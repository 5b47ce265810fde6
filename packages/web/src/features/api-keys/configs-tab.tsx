import type { KeyConfig } from '@carillon/contract/key-config-records'
import { Pencil, Plus, SlidersHorizontal, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../../lib/use-api.ts'
import { useView } from '../../lib/use-view.ts'
import { sourceOf } from '../../ui/data-screen/columns.ts'
import { DataScreen } from '../../ui/data-screen/data-screen.tsx'
import { isElsewhere } from '../../ui/data-screen/is-elsewhere.ts'
import { Empty } from '../../ui/empty.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import type { MenuItem } from '../../ui/menu.tsx'
import { apiKeysView } from './api-keys-view.ts'
import type { ApiTabProps } from './api-tabs.ts'
import type { ConfigAction } from './config-action.ts'
import { ConfigCard, configColumns } from './config-columns.tsx'
import { ConfigPeek } from './config-peek.tsx'
import { DeleteConfigDialog } from './delete-config-dialog.tsx'
import { useWritesClosed } from './use-writes-closed.ts'
import { WriteButton } from './write-button.tsx'

const ConfigEditor = lazyDialog(() => import('./config-editor.tsx').then((part) => part.ConfigEditor))

/** Key configs of the account and of those below. */
export function ConfigsTab({ title, tabs }: ApiTabProps) {
  const [view, setView] = useView(apiKeysView)
  const [action, setAction] = useState<ConfigAction>()
  const { page, pageSize, search, openId } = view
  const query = { page, limit: pageSize, ...(search ? { search } : {}) }
  const configs = useApi('keyConfigs.list', { query }, { keepPrevious: true })
  const closed = useWritesClosed()
  const rows = configs.data?.data
  const create = (
    <WriteButton variant="primary" size="sm" closed={closed} onClick={() => setAction({ kind: 'create' })}>
      <Plus aria-hidden /> Create config
    </WriteButton>
  )
  return (
    <>
      <DataScreen<KeyConfig>
        id="key-configs"
        title={title}
        noun="key configs"
        tabs={tabs}
        actions={rows?.length === 0 && search === '' ? null : create}
        search={{
          label: 'Search key configs',
          value: search,
          onValueChange: (next) => setView({ search: next, page: 1 }, { replace: true }),
        }}
        source={sourceOf(configs, rows)}
        columns={configColumns}
        rowId={({ id }) => id}
        rowName={({ payload }) => payload.binding.name}
        rowMenu={(config) => menuOf(config, { onAction: setAction, closed })}
        card={(config) => <ConfigCard config={config} />}
        peek={{
          id: openId,
          onPeek: (next) => setView({ openId: next }),
          elsewhere: useConfigElsewhere(openId, rows),
          render: (config) => ({
            title: config.payload.binding.name,
            name: config.payload.binding.name,
            body: <ConfigPeek key={config.id} config={config} closed={closed} onAction={setAction} />,
          }),
        }}
        paging={{
          page,
          pageSize,
          onPage: (next) => setView({ page: next }),
          onPageSize: (next) => setView({ pageSize: next, page: 1 }),
          totalPages: configs.data?.pagination.totalPages,
          total: configs.data?.pagination.total,
        }}
        empty={
          <Empty icon={SlidersHorizontal} title="Create your first key config" actions={create}>
            {closed ?? 'A key config limits what its keys can send: channels, senders, countries, rates and spending.'}
          </Empty>
        }
      />
      <ConfigDialogs
        action={action}
        onClose={() => setAction(undefined)}
        onDeleted={() => setView({ openId: undefined })}
      />
    </>
  )
}

type DialogsProps = { action: ConfigAction | undefined; onClose: () => void; onDeleted: () => void }

function ConfigDialogs({ action, onClose, onDeleted }: DialogsProps) {
  if (!action) return null
  if (action.kind === 'delete')
    return <DeleteConfigDialog config={action.config} onClose={onClose} onDeleted={onDeleted} />
  return <ConfigEditor config={action.kind === 'edit' ? action.config : undefined} onClose={onClose} />
}

type Asking = { onAction: (action: ConfigAction) => void; closed: string | undefined }

function menuOf(config: KeyConfig, { onAction, closed }: Asking): readonly MenuItem[] {
  const disabled = config.isOwn ? closed : 'Only its owner can change it'
  return [
    { label: 'Edit…', icon: Pencil, onSelect: () => onAction({ kind: 'edit', config }), disabled },
    'separator',
    {
      label: 'Delete…',
      icon: Trash2,
      destructive: true,
      onSelect: () => onAction({ kind: 'delete', config }),
      disabled,
    },
  ]
}

/** The open config, if it is on another page. */
function useConfigElsewhere(id: string | undefined, rows: readonly KeyConfig[] | undefined): KeyConfig | undefined {
  const enabled = isElsewhere(
    id,
    rows?.map((row) => row.id),
  )
  return useApi('keyConfigs.get', { path: { id: id ?? '' } }, { enabled }).data
}
