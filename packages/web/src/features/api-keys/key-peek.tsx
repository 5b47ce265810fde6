import type { ApiKey } from '@carillon/contract/api-key-records'
import { apiScopeLabels } from '@carillon/contract/api-scopes'
import { formatCount, formatDateTime } from '../../lib/format.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { Facts, type Fact } from '../../ui/facts.tsx'
import { Notice } from '../../ui/notice.tsx'
import { When } from '../../ui/text.tsx'
import type { KeyAction } from './key-action.ts'
import { EnvironmentPill, KeyPill } from './key-columns.tsx'
import { SmppSection } from './smpp/smpp-section.tsx'
import { WriteButton } from './write-button.tsx'

type KeyPeekProps = {
  apiKey: ApiKey
  configName: string | undefined
  closed: string | undefined
  onAction: (action: KeyAction) => void
}

/** A key with all that is known about it, and its actions. */
export function KeyPeek({ apiKey, configName, closed, onAction }: KeyPeekProps) {
  const { status, isOwn, createdBy, graceUntil, scopes, ipAllowlist, prefix, last4 } = apiKey
  return (
    <div className="flex flex-col gap-5 px-5 py-4">
      <div className="flex flex-wrap items-center gap-2">
        <KeyPill status={status} />
        <EnvironmentPill {...apiKey} />
        <span className="min-w-0 truncate font-mono text-dense tracking-normal text-muted-foreground">
          {prefix}…{last4}
        </span>
      </div>
      {status === 'deactivated' ? null : <Actions apiKey={apiKey} closed={closed} onAction={onAction} />}
      {isOwn ? null : (
        <p className="text-muted-foreground">
          The key of {createdBy.name}. Only its owner can change it; you can deactivate it.
        </p>
      )}
      {graceUntil ? (
        <Notice tone="info">The previous secret is valid as well until {formatDateTime(graceUntil)}.</Notice>
      ) : null}
      <Facts facts={factsOf(apiKey, configName)} />
      <section className="flex flex-col gap-2">
        <h3 className="font-medium">Scopes</h3>
        <ul className="flex flex-col gap-2">
          {scopes.map((scope) => (
            <li key={scope}>
              {apiScopeLabels[scope]}
              <code className="block font-mono text-caption text-muted-foreground">{scope}</code>
            </li>
          ))}
        </ul>
      </section>
      <section className="flex flex-col gap-2">
        <h3 className="font-medium">Allowed addresses</h3>
        {ipAllowlist.length === 0 ? (
          <p className="text-muted-foreground">Any address</p>
        ) : (
          <ul className="font-mono text-dense tracking-normal">
            {ipAllowlist.map((address) => (
              <li key={address}>{address}</li>
            ))}
          </ul>
        )}
      </section>
      <SmppSection apiKey={apiKey} closed={closed} />
    </div>
  )
}

function Actions({ apiKey, closed, onAction }: Pick<KeyPeekProps, 'apiKey' | 'closed' | 'onAction'>) {
  const { isOwn, status } = apiKey
  const press = (kind: KeyAction['kind']) => () => onAction({ kind, apiKey })
  return (
    <div className="flex flex-wrap gap-2">
      {isOwn ? (
        <>
          <WriteButton size="sm" closed={closed} onClick={press('edit')}>
            Edit…
          </WriteButton>
          <WriteButton
            size="sm"
            closed={closed ?? (status === 'expired' ? 'It has expired: set a later expiry first' : undefined)}
            onClick={press('regenerate')}
          >
            Regenerate…
          </WriteButton>
        </>
      ) : null}
      <WriteButton size="sm" variant="bad" closed={closed} onClick={press('deactivate')}>
        Deactivate…
      </WriteButton>
    </div>
  )
}

function factsOf(apiKey: ApiKey, configName: string | undefined): Fact[] {
  const { id, usage, lastUsedAt, lastUsedIp, expiresAt, createdAt, createdBy, regeneratedAt, deactivatedAt } = apiKey
  const used = lastUsedAt ? (
    <>
      <When at={lastUsedAt} />
      {lastUsedIp ? ` from ${lastUsedIp}` : ''}
    </>
  ) : (
    'Not yet'
  )
  return [
    ['Owner', createdBy.name],
    ['Key config', apiKey.keyConfigId === null ? 'None' : (configName ?? '…')],
    ['Calls today', formatCount(usage.today)],
    ['Calls this month', formatCount(usage.month)],
    ['Last used', used],
    ['Expires', expiresAt ? formatDateTime(expiresAt) : 'Never'],
    ['Created', formatDateTime(createdAt)],
    ...(regeneratedAt ? [['Regenerated', formatDateTime(regeneratedAt)] as const] : []),
    ...(deactivatedAt ? [['Deactivated', formatDateTime(deactivatedAt)] as const] : []),
    ['Id', <Copyable key="id" text={id} />],
  ]
}
