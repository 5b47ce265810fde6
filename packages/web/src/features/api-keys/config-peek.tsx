import type { KeyConfig } from '@carillon/contract/key-config-records'
import { useState } from 'react'
import { formatDateTime } from '../../lib/format.ts'
import { writeView } from '../../lib/url-state.ts'
import { useApi } from '../../lib/use-api.ts'
import { AreaLink } from '../../ui/area-link.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Facts } from '../../ui/facts.tsx'
import { JsonEditor } from '../../ui/json-editor/json-editor.tsx'
import { linkClass } from '../../ui/link-class.ts'
import { Region } from '../../ui/region.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { apiKeysView } from './api-keys-view.ts'
import type { ConfigAction } from './config-action.ts'
import { forText } from './config-columns.tsx'
import { rulesOf } from './config-summary.ts'
import { WriteButton } from './write-button.tsx'

type ConfigPeekProps = { config: KeyConfig; closed: string | undefined; onAction: (action: ConfigAction) => void }

/** A key config: its rules in words or as JSON, and the keys that use it. */
export function ConfigPeek({ config, closed, onAction }: ConfigPeekProps) {
  const [tab, setTab] = useState<'rules' | 'json'>('rules')
  const { payload, isOwn, createdBy } = config
  return (
    <>
      <div className="flex flex-col gap-3 px-5 py-4">
        {payload.binding.description ? <p>{payload.binding.description}</p> : null}
        {isOwn ? (
          <div className="flex flex-wrap gap-2">
            <WriteButton size="sm" closed={closed} onClick={() => onAction({ kind: 'edit', config })}>
              Edit…
            </WriteButton>
            <WriteButton size="sm" variant="bad" closed={closed} onClick={() => onAction({ kind: 'delete', config })}>
              Delete…
            </WriteButton>
          </div>
        ) : (
          <p className="text-muted-foreground">The config of {createdBy.name}. Only its owner can change it.</p>
        )}
      </div>
      <Tabs
        label="Key config"
        inset="sheet"
        value={tab}
        onValueChange={setTab}
        items={[
          { value: 'rules', label: 'Rules' },
          { value: 'json', label: 'JSON' },
        ]}
      >
        <div className="flex flex-col gap-5 px-5 py-4">
          {tab === 'rules' ? (
            <Rules config={config} />
          ) : (
            <JsonEditor label="Payload" text={JSON.stringify(payload, null, 2)} className="h-[60dvh]" />
          )}
        </div>
      </Tabs>
    </>
  )
}

function Rules({ config }: { config: KeyConfig }) {
  const { id, createdBy, createdAt, updatedAt } = config
  return (
    <>
      <Facts facts={[['For keys', forText(config)], ...rulesOf(config.payload)]} />
      <section className="flex flex-col gap-2">
        <h3 className="font-medium">Keys that use it</h3>
        {config.keys === 0 ? <p className="text-muted-foreground">None</p> : <Keys configId={id} />}
      </section>
      <Facts
        facts={[
          ['Owner', createdBy.name],
          ['Created', formatDateTime(createdAt)],
          ['Updated', formatDateTime(updatedAt)],
          ['Id', <Copyable key="id" text={id} />],
        ]}
      />
    </>
  )
}

/** The live keys of an account fit on a page. */
function Keys({ configId }: { configId: string }) {
  const keys = useApi('apiKeys.list', { query: { limit: 100 } })
  return (
    <Region read={keys} label="keys" lines={2}>
      {({ data }) => (
        <ul className="flex flex-col gap-1">
          {data
            .filter(({ keyConfigId, deactivatedAt }) => keyConfigId === configId && deactivatedAt === null)
            .map(({ id, name }) => (
              <li key={id} className="min-w-0 truncate">
                <AreaLink to="api-management" search={writeView(apiKeysView, { openId: id })} className={linkClass}>
                  {name}
                </AreaLink>
              </li>
            ))}
        </ul>
      )}
    </Region>
  )
}
