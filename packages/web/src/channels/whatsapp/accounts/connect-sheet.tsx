import type { WhatsappConnection } from '@carillon/contract/channels/whatsapp/whatsapp-accounts'
import { useState, type FormEvent, type ReactNode } from 'react'
import { useApi, useApiWrite, fieldMessages } from '../../../lib/use-api.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Sheet } from '../../../ui/sheet.tsx'
import { toast } from '../../../ui/toast.tsx'
import { emptyEntry, entryOf, inputOf, type ConnectionEntry } from './connection-entry.ts'

type ConnectSheetProps = {
  /** The account to change; absent for a new one. */
  connection?: WhatsappConnection
  onClose: () => void
  onConnected?: () => void
}

/** Connects an account manually, or changes its connection: ids and secrets from Meta's app settings. */
export function ConnectSheet({ connection, onClose, onConnected }: ConnectSheetProps) {
  const [entry, setEntry] = useState<ConnectionEntry>(() => (connection ? entryOf(connection) : emptyEntry))
  const settings = useApi('wabas.signUp', {}, { staleTime: 300_000 })
  const done = {
    refreshes: ['wabas.list', 'wabas.active'] as const,
    onSuccess: ({ name }: WhatsappConnection) => {
      toast.success(
        connection ? `${name} is saved; its connection is being checked again` : `${name} is being connected`,
      )
      onConnected?.()
      onClose()
    },
  }
  const connect = useApiWrite('wabas.connect', done)
  const change = useApiWrite('wabas.change', done)
  const saving = connection ? change : connect
  const errors = fieldMessages(saving.error)
  const demo = settings.data?.demo

  function submit(event: FormEvent) {
    event.preventDefault()
    const { waba_id, ...rest } = inputOf(entry, connection !== undefined)
    if (connection) change.mutate({ path: { id: connection._id }, body: rest })
    else
      connect.mutate({
        body: { waba_id, ...rest, accessToken: entry.accessToken, appId: entry.appId, appSecret: entry.appSecret },
      })
  }

  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title={connection ? connection.name : 'Connect WhatsApp manually'}
    >
      <form onSubmit={submit} className="flex min-h-0 flex-1 flex-col" noValidate>
        <div className="flex flex-1 flex-col gap-5 overflow-y-auto p-5">
          {saving.isError && Object.keys(errors).length === 0 ? (
            <Notice tone="bad">{saving.error.message}</Notice>
          ) : null}
          {demo && !connection ? (
            <Notice
              tone="info"
              actions={
                <Button size="tool" onClick={() => setEntry({ ...entry, ...entryOfDemo(demo) })}>
                  Fill in
                </Button>
              }
            >
              This demo uses a simulator instead of Meta, with an account to connect.
            </Notice>
          ) : null}
          <EntryFields
            entry={entry}
            errors={errors}
            secretsSet={connection?.secretsSet ?? []}
            isNew={!connection}
            onChange={(patch) => setEntry({ ...entry, ...patch })}
          />
        </div>
        <footer className="flex justify-end gap-2 border-t border-border px-5 py-3">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" loading={saving.isPending}>
            {connection ? 'Save and check again' : 'Connect account'}
          </Button>
        </footer>
      </form>
    </Sheet>
  )
}

type Demo = { graphUrl: string; waba_id: string; accessToken: string; appId: string; appSecret: string }

function entryOfDemo({ graphUrl, waba_id, accessToken, appId, appSecret }: Demo): Partial<ConnectionEntry> {
  return { name: 'Demo account', graphUrl, waba_id, accessToken, appId, appSecret }
}

type EntryFieldsProps = {
  entry: ConnectionEntry
  errors: Record<string, string>
  secretsSet: readonly string[]
  isNew: boolean
  onChange: (patch: Partial<ConnectionEntry>) => void
}

function EntryFields({ entry, errors, secretsSet, isNew, onChange }: EntryFieldsProps) {
  const [isWide, setWide] = useState(entry.graphUrl !== '' || entry.graphVersion !== '')
  const field = (name: keyof ConnectionEntry, label: string, rest: { help?: ReactNode; hint?: string } = {}) => {
    const isSecret = name === 'accessToken' || name === 'appSecret'
    const isStored = isSecret && secretsSet.includes(name)
    return (
      <Field label={label} error={errors[name]} {...rest}>
        <Input
          name={name}
          mono={name !== 'name'}
          type={isSecret ? 'password' : 'text'}
          autoComplete="off"
          spellCheck={false}
          inputMode={name === 'waba_id' || name === 'appId' ? 'numeric' : 'text'}
          placeholder={isStored ? 'Stored; leave empty to keep it' : undefined}
          value={entry[name]}
          onChange={(event) => onChange({ [name]: event.target.value })}
        />
      </Field>
    )
  }
  return (
    <>
      {field('name', 'Name', { hint: '(optional)', help: 'Shown only here. Defaults to the name at Meta.' })}
      {isNew ? field('waba_id', 'WhatsApp account id', { help: 'WhatsApp Manager › Account tools › Settings' }) : null}
      {field('accessToken', 'Access token', {
        help: 'Of a system user, with whatsapp_business_management and whatsapp_business_messaging; preferably non-expiring.',
      })}
      {field('appId', 'App id', { help: 'App dashboard › App settings › Basic' })}
      {field('appSecret', 'App secret', { help: 'Next to the app id. Used to verify every callback.' })}
      {isWide ? (
        <>
          {field('graphUrl', 'Graph API URL', { hint: '(optional)', help: 'Leave empty for Meta’s default' })}
          {field('graphVersion', 'Version', { hint: '(optional)', help: 'For example v25.0' })}
        </>
      ) : (
        <Button variant="ghost" size="sm" className="self-start" onClick={() => setWide(true)}>
          Rarely needed settings
        </Button>
      )}
    </>
  )
}
