import type { RcsPartnerState } from '@carillon/contract/channels/rcs/rcs-bot-admin'
import { useState, type FormEvent } from 'react'
import { formatCount } from '../../../lib/format.ts'
import { fieldMessages, useApi, useApiWrite } from '../../../lib/use-api.ts'
import { Button } from '../../../ui/button.tsx'
import { Facts, type Fact } from '../../../ui/facts.tsx'
import { Field } from '../../../ui/field.tsx'
import { FileDrop } from '../../../ui/file-drop.tsx'
import { Input, Textarea } from '../../../ui/input.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Region } from '../../../ui/region.tsx'
import { toast } from '../../../ui/toast.tsx'

/** The service account that sends from all bots of this installation. */
export function PartnerForm() {
  const partner = useApi('rcsPartner.get', {})
  const [isChanging, setChanging] = useState(false)
  return (
    <section aria-label="Partner account with Google" className="flex flex-col gap-4">
      <div>
        <h2 className="text-section font-semibold">RCS: partner account with Google</h2>
        <p className="text-muted-foreground">
          One service account sends from the bots of all organisations. Its key is stored encrypted and never shown.
        </p>
      </div>
      <Region read={partner} label="the partner account" lines={3}>
        {(state) =>
          state.isSet && !isChanging ? (
            <Entered state={state} onChange={() => setChanging(true)} />
          ) : (
            <Form state={state} onClose={() => setChanging(false)} />
          )
        }
      </Region>
    </section>
  )
}

type EnteredProps = { state: RcsPartnerState; onChange: () => void }

function Entered({ state, onChange }: EnteredProps) {
  const { clientEmail, bots, apiUrl, managementUrl } = state
  const check = useApiWrite('rcsPartner.check', { onError: ({ message }) => toast.error(message) })
  const facts: Fact[] = [
    ['Service account', mono(clientEmail)],
    ['Bots', formatCount(bots)],
  ]
  if (apiUrl) facts.push(['Messaging URL', mono(apiUrl)])
  const body = { keyFile: '', apiUrl: apiUrl ?? '', managementUrl: managementUrl ?? '' }
  return (
    <div className="flex flex-col gap-4">
      <Facts facts={facts} />
      <Checked data={check.data} />
      <div className="flex flex-wrap gap-2">
        <Button loading={check.isPending} onClick={() => check.mutate({ body })}>
          Check connection
        </Button>
        <Button onClick={onChange}>Change…</Button>
      </div>
    </div>
  )
}

const mono = (text: string | null) => <span className="font-mono text-dense">{text}</span>

function Checked({ data }: { data: { isConnected: boolean; message: string; brands: string[] } | undefined }) {
  if (!data) return null
  return (
    <Notice tone={data.isConnected ? 'info' : 'bad'}>
      {data.message}
      {data.brands.length > 0 ? `: ${data.brands.join(', ')}` : ''}
    </Notice>
  )
}

const maximumBytes = 20_000

function Form({ state, onClose }: { state: RcsPartnerState; onClose: () => void }) {
  const [keyFile, setKeyFile] = useState('')
  const [apiUrl, setApiUrl] = useState(state.apiUrl ?? '')
  const [managementUrl, setManagementUrl] = useState(state.managementUrl ?? '')
  const body = { keyFile, apiUrl, managementUrl }
  const save = useApiWrite('rcsPartner.set', {
    refreshes: ['rcsPartner.get'],
    onSuccess: () => {
      toast.success('Partner account saved')
      onClose()
    },
  })
  const check = useApiWrite('rcsPartner.check')
  const error = save.error ?? check.error
  const errors = fieldMessages(error)
  function submit(event: FormEvent) {
    event.preventDefault()
    save.mutate({ body })
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      {state.isSet ? null : (
        <Notice tone="info">Bots cannot be created and send nothing until the service account is entered.</Notice>
      )}
      {error && Object.keys(errors).length === 0 ? <Notice tone="bad">{error.message}</Notice> : null}
      <FileDrop
        compact
        title="Drop the key file of the service account"
        help="JSON, from the Google Cloud console"
        accept=".json"
        maximumBytes={maximumBytes}
        onFile={(file) => void file.text().then(setKeyFile)}
      />
      <Field
        label="Key file"
        error={errors['keyFile']}
        help={
          state.isSet
            ? `Leave empty to keep the key of ${state.clientEmail}`
            : 'Paste its content, or drop the file above'
        }
      >
        <Textarea
          rows={3}
          spellCheck={false}
          autoComplete="off"
          value={keyFile}
          onChange={({ target }) => setKeyFile(target.value)}
        />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Messaging URL" hint="(optional)" error={errors['apiUrl']} help="Leave empty for Google’s own">
          <Input mono value={apiUrl} onChange={({ target }) => setApiUrl(target.value)} />
        </Field>
        <Field
          label="Management URL"
          hint="(optional)"
          error={errors['managementUrl']}
          help="Leave empty for Google’s own"
        >
          <Input mono value={managementUrl} onChange={({ target }) => setManagementUrl(target.value)} />
        </Field>
      </div>
      <Checked data={check.data} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" loading={save.isPending}>
          Save
        </Button>
        <Button loading={check.isPending} onClick={() => check.mutate({ body })}>
          Check connection
        </Button>
        {state.isSet ? <Button onClick={onClose}>Cancel</Button> : null}
      </div>
    </form>
  )
}
