import type { KeyConfig } from '@carillon/contract/key-config-records'
import { ChannelMark } from '../../channels/channel-mark.tsx'
import { countOf, formatCount } from '../../lib/format.ts'
import type { Column } from '../../ui/data-screen/columns.ts'
import { Missing, When } from '../../ui/text.tsx'
import { limitsText } from './config-summary.ts'
import { environmentLabels } from './key-labels.ts'

export const configColumns: readonly Column<KeyConfig>[] = [
  { id: 'name', header: 'Name', cell: (config) => <Named config={config} /> },
  { id: 'for', header: 'For keys', width: 104, cell: (config) => forText(config) },
  { id: 'channels', header: 'Channels', width: 130, cell: (config) => <Channels config={config} /> },
  {
    id: 'limits',
    header: 'Limits',
    width: 330,
    cell: ({ payload }) => (
      <span className="block max-w-80 truncate" title={limitsText(payload)}>
        {limitsText(payload) || <Missing why="no limits" />}
      </span>
    ),
  },
  { id: 'keys', header: 'Keys', align: 'right', width: 80, cell: ({ keys }) => formatCount(keys) },
  { id: 'updated', header: 'Updated', width: 130, cell: ({ updatedAt }) => <When at={updatedAt} /> },
]

export function forText({ payload: { binding } }: KeyConfig): string {
  return binding.environment ? environmentLabels[binding.environment] : 'Any'
}

function Named({ config: { payload, isOwn, createdBy } }: { config: KeyConfig }) {
  const { name, description } = payload.binding
  return (
    <span className="block min-w-0 leading-tight">
      <span className="flex min-w-0 items-baseline gap-1.5">
        <b className="truncate font-medium">{name}</b>
        {isOwn ? null : <small className="truncate text-caption text-muted-foreground">by {createdBy.name}</small>}
      </span>
      {description ? (
        <small className="block max-w-80 truncate text-caption text-muted-foreground">{description}</small>
      ) : null}
    </span>
  )
}

function Channels({ config: { payload } }: { config: KeyConfig }) {
  const { allowed } = payload.channels
  if (allowed.length === 0) return 'Every channel'
  return (
    <span className="inline-flex gap-1">
      {allowed.map((channel) => (
        <ChannelMark key={channel} channel={channel} markOnly />
      ))}
    </span>
  )
}

/** A key config in the list on phones. */
export function ConfigCard({ config }: { config: KeyConfig }) {
  const limits = limitsText(config.payload)
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex min-w-0 items-start gap-3">
        <div className="min-w-0 flex-1">
          <Named config={config} />
        </div>
        <span className="shrink-0 text-dense text-muted-foreground">{countOf(config.keys, 'key')}</span>
      </div>
      {limits ? <p className="text-dense break-words text-muted-foreground">{limits}</p> : null}
    </div>
  )
}
