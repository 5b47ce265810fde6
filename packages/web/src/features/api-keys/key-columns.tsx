import type { ApiKey } from '@carillon/contract/api-key-records'
import { countOf, formatCount, formatDate } from '../../lib/format.ts'
import type { Column } from '../../ui/data-screen/columns.ts'
import { Pill } from '../../ui/pill.tsx'
import { Missing, When } from '../../ui/text.tsx'
import { environmentLabels, statusLooks } from './key-labels.ts'

/** `configName`: by the id of a config; undefined while unknown. */
export function keyColumns(configName: (id: string) => string | undefined): readonly Column<ApiKey>[] {
  return [
    { id: 'name', header: 'Name', cell: (key) => <Named apiKey={key} /> },
    { id: 'environment', header: 'Environment', width: 112, cell: (key) => <EnvironmentPill {...key} /> },
    { id: 'scopes', header: 'Scopes', width: 92, cell: ({ scopes }) => <Scopes scopes={scopes} /> },
    {
      id: 'config',
      header: 'Config',
      width: 130,
      cell: ({ keyConfigId }) =>
        keyConfigId === null ? (
          <Missing why="no config" />
        ) : (
          <span className="block max-w-28 truncate">{configName(keyConfigId) ?? '…'}</span>
        ),
    },
    { id: 'used', header: 'Last used', width: 136, cell: (key) => <LastUsed apiKey={key} /> },
    { id: 'today', header: 'Today', align: 'right', width: 84, cell: ({ usage }) => formatCount(usage.today) },
    { id: 'month', header: 'Month', align: 'right', width: 92, cell: ({ usage }) => formatCount(usage.month) },
    { id: 'expires', header: 'Expires', width: 118, cell: ({ expiresAt }) => expiryText(expiresAt) },
    { id: 'status', header: 'Status', width: 128, cell: ({ status }) => <KeyPill status={status} /> },
    { id: 'created', header: 'Created', width: 130, optional: true, cell: ({ createdAt }) => <When at={createdAt} /> },
  ]
}

export function EnvironmentPill({ environment }: Pick<ApiKey, 'environment'>) {
  return <Pill tone={environment === 'live' ? 'live' : 'neutral'}>{environmentLabels[environment]}</Pill>
}

export function KeyPill({ status }: Pick<ApiKey, 'status'>) {
  const { label, tone, icon } = statusLooks[status]
  return (
    <Pill tone={tone} icon={icon}>
      {label}
    </Pill>
  )
}

const expiryText = (expiresAt: string | null) => (expiresAt ? formatDate(expiresAt) : <Missing why="never" />)

/** The beginning and the end of a key, which identify it. */
export function KeyText({ apiKey: { prefix, last4 } }: { apiKey: Pick<ApiKey, 'prefix' | 'last4'> }) {
  return (
    <span className="font-mono text-caption tracking-normal text-muted-foreground">
      {prefix}…{last4}
    </span>
  )
}

function Named({ apiKey }: { apiKey: ApiKey }) {
  return (
    <span className="block min-w-0 leading-tight">
      <span className="flex min-w-0 items-baseline gap-1.5">
        <b className="truncate font-medium">{apiKey.name}</b>
        {apiKey.isOwn ? null : (
          <small className="truncate text-caption text-muted-foreground">by {apiKey.createdBy.name}</small>
        )}
      </span>
      <span className="block truncate">
        <KeyText apiKey={apiKey} />
      </span>
    </span>
  )
}

function Scopes({ scopes }: Pick<ApiKey, 'scopes'>) {
  return <span title={scopes.join(', ')}>{countOf(scopes.length, 'scope')}</span>
}

function LastUsed({ apiKey: { lastUsedAt, lastUsedIp } }: { apiKey: ApiKey }) {
  if (!lastUsedAt) return <span className="text-muted-foreground">Not yet</span>
  return (
    <span className="block min-w-0 leading-tight">
      <When at={lastUsedAt} />
      <span className="block truncate font-mono text-caption tracking-normal text-muted-foreground">{lastUsedIp}</span>
    </span>
  )
}

/** A key in the list on phones. */
export function KeyCard({ apiKey }: { apiKey: ApiKey }) {
  const { name, status, usage, lastUsedAt, isOwn, createdBy } = apiKey
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex min-w-0 items-start gap-3">
        <div className="min-w-0 flex-1">
          <b className="block font-medium break-words">{name}</b>
          <span className="block break-all">
            <KeyText apiKey={apiKey} />
          </span>
          {isOwn ? null : <small className="block text-caption text-muted-foreground">by {createdBy.name}</small>}
        </div>
        <KeyPill status={status} />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-dense">
        <EnvironmentPill {...apiKey} />
        <span className="text-muted-foreground">
          {lastUsedAt ? (
            <>
              Used <When at={lastUsedAt} />
            </>
          ) : (
            'Not used yet'
          )}{' '}
          · {countOf(usage.month, 'call')} this month
        </span>
      </div>
    </div>
  )
}
