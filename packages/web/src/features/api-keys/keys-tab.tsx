import type { ApiKey } from '@carillon/contract/api-key-records'
import { KeyRound, Plus, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../../lib/use-api.ts'
import { useView } from '../../lib/use-view.ts'
import { Button } from '../../ui/button.tsx'
import { sourceOf } from '../../ui/data-screen/columns.ts'
import { DataScreen } from '../../ui/data-screen/data-screen.tsx'
import { choiceFilter, type Filter } from '../../ui/data-screen/filter.ts'
import { isElsewhere } from '../../ui/data-screen/is-elsewhere.ts'
import { Empty } from '../../ui/empty.tsx'
import { apiKeysView, environments, keysQueryOf, keyStatuses, type ApiKeysView } from './api-keys-view.ts'
import type { ApiTabProps } from './api-tabs.ts'
import { CheckKeyDialog } from './check-key-dialog.tsx'
import type { KeyAction } from './key-action.ts'
import { KeyCard, keyColumns } from './key-columns.tsx'
import { KeyDialogs } from './key-dialogs.tsx'
import { environmentLabels, statusLooks } from './key-labels.ts'
import { keyMenu } from './key-menu.ts'
import { KeyPeek } from './key-peek.tsx'
import { useWritesClosed } from './use-writes-closed.ts'
import { WriteButton } from './write-button.tsx'

/** API keys of the account and of those below. */
export function KeysTab({ title, tabs }: ApiTabProps) {
  const [view, setView] = useView(apiKeysView)
  const [action, setAction] = useState<KeyAction | { kind: 'create' }>()
  const [isChecking, setChecking] = useState(false)
  const keys = useApi('apiKeys.list', { query: keysQueryOf(view) }, { keepPrevious: true, refetchInterval: 30_000 })
  const configName = useConfigNames()
  const closed = useWritesClosed()
  const create = (
    <WriteButton variant="primary" size="sm" closed={closed} onClick={() => setAction({ kind: 'create' })}>
      <Plus aria-hidden /> Create key
    </WriteButton>
  )
  return (
    <>
      <DataScreen<ApiKey>
        id="api-keys"
        title={title}
        noun="keys"
        tabs={tabs}
        actions={
          <>
            <Button size="sm" onClick={() => setChecking(true)}>
              <ShieldCheck aria-hidden /> Check a key
            </Button>
            {keys.data?.pagination.total === 0 && !isNarrowed(view) ? null : create}
          </>
        }
        search={{
          label: 'Search keys',
          value: view.search,
          onValueChange: (search) => setView({ search, page: 1 }, { replace: true }),
        }}
        filters={filtersOf(view, setView)}
        source={sourceOf(keys, keys.data?.data)}
        columns={keyColumns(configName)}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        rowMenu={(apiKey) => keyMenu(apiKey, { onAction: setAction, closed })}
        card={(apiKey) => <KeyCard apiKey={apiKey} />}
        peek={{
          id: view.openId,
          onPeek: (openId) => setView({ openId }),
          elsewhere: useKeyElsewhere(view.openId, keys.data?.data),
          render: (apiKey) => ({
            title: apiKey.name,
            name: apiKey.name,
            body: (
              <KeyPeek
                apiKey={apiKey}
                configName={apiKey.keyConfigId === null ? undefined : configName(apiKey.keyConfigId)}
                closed={closed}
                onAction={setAction}
              />
            ),
          }),
        }}
        paging={{
          page: view.page,
          pageSize: view.pageSize,
          onPage: (page) => setView({ page }),
          onPageSize: (pageSize) => setView({ pageSize, page: 1 }),
          totalPages: keys.data?.pagination.totalPages,
          total: keys.data?.pagination.total,
        }}
        empty={
          <Empty icon={KeyRound} title="Create your first API key" actions={create}>
            {closed ??
              'Your programs use it to call the API as this account. Begin with a test key, which sends to the sandbox.'}
          </Empty>
        }
      />
      {action ? <KeyDialogs action={action} onClose={() => setAction(undefined)} /> : null}
      {isChecking ? <CheckKeyDialog onClose={() => setChecking(false)} /> : null}
    </>
  )
}

const isNarrowed = ({ search, status, environment }: ApiKeysView) =>
  search !== '' || status !== undefined || environment !== undefined

function useConfigNames(): (id: string) => string | undefined {
  const configs = useApi('keyConfigs.list', { query: { limit: 100 } })
  return (id) => configs.data?.data.find((config) => config.id === id)?.payload.binding.name
}

/** The open key, if it is on another page. */
function useKeyElsewhere(id: string | undefined, rows: readonly ApiKey[] | undefined): ApiKey | undefined {
  const enabled = isElsewhere(
    id,
    rows?.map((row) => row.id),
  )
  const read = useApi('apiKeys.list', { query: { limit: 100 } }, { enabled })
  return enabled ? read.data?.data.find((apiKey) => apiKey.id === id) : undefined
}

function filtersOf(view: ApiKeysView, setView: (patch: Partial<ApiKeysView>) => void): readonly Filter[] {
  return [
    choiceFilter('status', 'Status', {
      options: keyStatuses.map((value) => ({ value, label: statusLooks[value].label })),
      value: view.status,
      onChange: (value) => setView({ status: keyStatuses.find((status) => status === value), page: 1 }),
    }),
    choiceFilter('environment', 'Environment', {
      options: environments.map((value) => ({ value, label: environmentLabels[value] })),
      value: view.environment,
      onChange: (value) => setView({ environment: environments.find((one) => one === value), page: 1 }),
    }),
  ]
}
