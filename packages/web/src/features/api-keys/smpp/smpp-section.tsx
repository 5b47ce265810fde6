import type { ApiKey } from '@carillon/contract/api-key-records'
import type { SmppCredential } from '@carillon/contract/smpp-credential-records'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { countOf } from '../../../lib/format.ts'
import { useApi } from '../../../lib/use-api.ts'
import { Copyable } from '../../../ui/copyable.tsx'
import { Facts, type Fact } from '../../../ui/facts.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { When } from '../../../ui/text.tsx'
import { WriteButton } from '../write-button.tsx'
import type { SmppAction } from './smpp-action.ts'
import { SmppDialogs } from './smpp-dialogs.tsx'

type SmppSectionProps = { apiKey: ApiKey; closed: string | undefined }

/** The SMPP credentials of a key, where the installation offers SMPP. */
export function SmppSection({ apiKey, closed }: SmppSectionProps) {
  const [action, setAction] = useState<SmppAction>()
  const read = useApi('smppCredentials.list', { query: { apiKeyId: apiKey.id } }, { refetchInterval: 30_000 })
  const service = read.data?.service
  const credentials = read.data?.credentials.filter(({ deactivatedAt }) => deactivatedAt === null) ?? []
  if (read.error) return <Notice tone="bad">{read.error.message}</Notice>
  if (!service) return null
  return (
    <section aria-label="SMPP" className="flex flex-col gap-3">
      <div className="flex items-center justify-between gap-3">
        <h3 className="font-medium">SMPP</h3>
        {apiKey.isOwn && apiKey.status !== 'deactivated' ? (
          <WriteButton
            size="sm"
            closed={closed ?? closedFor(apiKey)}
            onClick={() => setAction({ kind: 'create', apiKey })}
          >
            <Plus aria-hidden /> Add credentials
          </WriteButton>
        ) : null}
      </div>
      <p className="text-muted-foreground">
        Connect to <Copyable text={`${service.host}:${service.port}`} label="Copy address" /> with SMPP 3.4. Sessions
        act as this key.
      </p>
      {credentials.length === 0 ? <p className="text-muted-foreground">No credentials</p> : null}
      {credentials.map((credential) => (
        <Credential
          key={credential.id}
          credential={credential}
          closed={closed}
          onAction={(kind) => setAction({ kind, credential })}
        />
      ))}
      {action ? <SmppDialogs action={action} onClose={() => setAction(undefined)} /> : null}
    </section>
  )
}

function closedFor({ scopes }: ApiKey): string | undefined {
  return scopes.includes('messages:send') ? undefined : 'This key does not have the scope messages:send'
}

type CredentialProps = {
  credential: SmppCredential
  closed: string | undefined
  onAction: (kind: 'edit' | 'password' | 'deactivate') => void
}

function Credential({ credential, closed, onAction }: CredentialProps) {
  const { systemId, isOwn } = credential
  return (
    <div role="group" aria-label={systemId} className="flex flex-col gap-2 rounded-lg border border-border p-3">
      <Facts facts={factsOf(credential)} />
      <div className="flex flex-wrap gap-2">
        {isOwn ? (
          <>
            <WriteButton size="sm" closed={closed} onClick={() => onAction('edit')}>
              Edit…
            </WriteButton>
            <WriteButton size="sm" closed={closed} onClick={() => onAction('password')}>
              New password…
            </WriteButton>
          </>
        ) : null}
        <WriteButton size="sm" variant="bad" closed={closed} onClick={() => onAction('deactivate')}>
          Deactivate…
        </WriteButton>
      </div>
    </div>
  )
}

function factsOf(credential: SmppCredential): Fact[] {
  const { systemId, addresses, sessions, maximumSessions, receiptsWaiting, lastBoundAt } = credential
  return [
    ['System ID', <Copyable key="id" text={systemId} label="Copy system ID" />],
    ['Addresses', addresses.join(', ')],
    ['Sessions', `${sessions} of ${maximumSessions} bound`],
    ['Last bound', lastBoundAt ? <When at={lastBoundAt} /> : 'Not yet'],
    ...(receiptsWaiting > 0 ? [['Waiting', countOf(receiptsWaiting, 'receipt')] as const] : []),
  ]
}
