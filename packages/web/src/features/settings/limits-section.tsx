import type { FrequencyCap, SendingRules } from '@carillon/contract/sending-rules'
import { useState } from 'react'
import { mayCall } from '../../lib/call.ts'
import { useApi, useApiWrite } from '../../lib/use-api.ts'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RadioGroup } from '../../ui/radio.tsx'
import { Region } from '../../ui/region.tsx'
import { Switch } from '../../ui/switch.tsx'
import { toast } from '../../ui/toast.tsx'
import { SaveBar } from '../../ui/save-bar.tsx'
import { SettingRow } from '../../ui/setting-row.tsx'

/** How far opt-outs reach, and how many marketing campaigns a person gets: for every channel and member of the organisation. */
export function LimitsSection() {
  const rules = useApi('sendingRules.get', {})
  return (
    <Region read={rules} label="the sending limits" lines={4}>
      {(saved) => <Limits key={JSON.stringify(saved)} saved={saved} />}
    </Region>
  )
}

/** The fields as typed. */
type Typed = Omit<SendingRules, 'frequencyCap'> & {
  isCapped: boolean
  messages: string
  days: string
  action: FrequencyCap['action']
}

const usual: FrequencyCap = { messages: 3, days: 7, action: 'skip' }

function typedFrom({ optOutScope, frequencyCap }: SendingRules): Typed {
  const { messages, days, action } = frequencyCap ?? usual
  return { optOutScope, isCapped: frequencyCap !== null, messages: String(messages), days: String(days), action }
}

function rulesFrom({ optOutScope, isCapped, messages, days, action }: Typed): SendingRules {
  return {
    optOutScope,
    frequencyCap: isCapped ? { messages: Number(messages), days: Number(days), action } : null,
  }
}

function Limits({ saved }: { saved: SendingRules }) {
  const mayEdit = mayCall('sendingRules.update')
  const [typed, setTyped] = useState(typedFrom(saved))
  const save = useApiWrite('sendingRules.update', {
    refreshes: ['sendingRules.get', 'drafts.estimate'],
    onSuccess: () => toast.success('Sending limits saved', { id: 'limits' }),
  })
  const isDirty = JSON.stringify(rulesFrom(typed)) !== JSON.stringify(saved)
  const change = (patch: Partial<Typed>) => setTyped({ ...typed, ...patch })
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate({ body: rulesFrom(typed) })
      }}
    >
      {mayEdit ? null : <Notice tone="info">Only the manager of your organisation can change these limits.</Notice>}
      <fieldset disabled={!mayEdit} className="flex min-w-0 flex-col">
        <legend className="sr-only">Sending limits</legend>
        <OptOutReach value={typed.optOutScope} onValueChange={(optOutScope) => change({ optOutScope })} />
        <Cap typed={typed} error={save.error} mayEdit={mayEdit} onChange={change} />
      </fieldset>
      <SaveBar
        isDirty={isDirty}
        isSaving={save.isPending}
        error={save.error}
        onReset={() => setTyped(typedFrom(saved))}
      />
    </form>
  )
}

type OptOutReachProps = {
  value: SendingRules['optOutScope']
  onValueChange: (value: SendingRules['optOutScope']) => void
}

function OptOutReach(props: OptOutReachProps) {
  return (
    <div className="border-b border-line py-4">
      <p className="font-medium">When a person opts out</p>
      <p className="mb-2 text-dense text-muted-foreground">
        By a reply such as STOP, in an app, or on your list of opt-outs
      </p>
      <RadioGroup
        label="When a person opts out"
        {...props}
        choices={[
          {
            value: 'channel',
            label: 'Stop messages on that channel',
            help: 'Campaigns on other channels still reach them.',
          },
          {
            value: 'all',
            label: 'Stop messages on every channel',
            help: 'Opting in again on one channel undoes it on all.',
          },
        ]}
      />
    </div>
  )
}

type CapProps = { typed: Typed; error: Error | null; mayEdit: boolean; onChange: (patch: Partial<Typed>) => void }

function Cap({ typed, mayEdit, onChange }: CapProps) {
  const { isCapped, messages, days, action } = typed
  return (
    <>
      <SettingRow
        title="Limit marketing campaigns per person"
        detail="Over all channels. A campaign that falls back to another channel counts once; messages sent at the same moment are not counted yet"
      >
        <Switch
          label="Limit marketing campaigns per person"
          checked={isCapped}
          disabled={!mayEdit}
          onCheckedChange={(next) => onChange({ isCapped: next })}
        />
      </SettingRow>
      {isCapped ? (
        <div className="flex flex-col gap-4 py-4">
          <div className="flex flex-wrap gap-4">
            <NumberField
              label="Campaigns"
              most={100}
              value={messages}
              onValue={(next) => onChange({ messages: next })}
            />
            <NumberField label="In days" most={30} value={days} onValue={(next) => onChange({ days: next })} />
          </div>
          <div>
            <p className="mb-1 font-medium">People who have reached the limit</p>
            <RadioGroup
              label="People who have reached the limit"
              value={action}
              onValueChange={(next) => onChange({ action: next })}
              choices={[
                { value: 'skip', label: 'Skip', help: 'They do not get the campaign. Nothing is charged.' },
                {
                  value: 'postpone',
                  label: 'Send later',
                  help: 'They get it as soon as the limit allows. If the campaign ends before that, they are skipped.',
                },
              ]}
            />
          </div>
          <p className="text-caption text-muted-foreground">
            Campaigns without marketing messages can ignore the limit. Tests and messages sent through the API do not
            count.
          </p>
        </div>
      ) : null}
    </>
  )
}

type NumberFieldProps = { label: string; most: number; value: string; onValue: (value: string) => void }

function NumberField({ label, most, value, onValue }: NumberFieldProps) {
  const isWrong = !Number.isInteger(Number(value)) || Number(value) < 1 || Number(value) > most
  return (
    <Field label={label} className="w-40" error={isWrong ? `A whole number from 1 to ${most}` : undefined}>
      <Input type="number" min={1} max={most} value={value} onChange={(event) => onValue(event.target.value)} />
    </Field>
  )
}
