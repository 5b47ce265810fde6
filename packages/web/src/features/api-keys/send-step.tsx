import type { ApiEnvironment } from '@carillon/contract/api-key-records'
import { defaultChannels } from '@carillon/contract/channels/table'
import { useState, type ReactNode } from 'react'
import { AreaLink } from '../../ui/area-link.tsx'
import { Field } from '../../ui/field.tsx'
import { linkClass } from '../../ui/link-class.ts'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { sendCall, type Example } from './call-examples.ts'
import { QuickstartStep } from './quickstart-step.tsx'
import { useQuickstartSenders } from './use-quickstart-senders.ts'

type SendStepProps = {
  number: number
  environment: ApiEnvironment
  renderCode: (example: Example) => ReactNode
}

const results: Record<ApiEnvironment, string> = {
  test: 'With this number of the sandbox, the message is delivered and read.',
  live: 'Replace the number with yours: the message is sent to a phone, and charged.',
}

/** Sends a message from one of the account's senders. */
export function SendStep({ number, environment, renderCode }: SendStepProps) {
  const senders = useQuickstartSenders()
  const [chosen, setChosen] = useState<string>()
  const from = senders?.find((sender) => sender === chosen) ?? senders?.[0]
  const example = sendCall(from === undefined ? { channel: defaultChannels.quickstart } : { from })
  return (
    <QuickstartStep number={number} title={example.title}>
      <p className="text-muted-foreground">
        {example.text} {results[environment]}
      </p>
      {senders?.length === 0 && environment === 'live' ? (
        <Notice tone="info">
          You have no sender yet.{' '}
          <AreaLink to="channels" className={linkClass}>
            Connect one
          </AreaLink>{' '}
          before you send.
        </Notice>
      ) : null}
      {senders && from !== undefined && senders.length > 1 ? (
        <Field label="Sender" className="max-w-80">
          <Select value={from} options={senders.map((value) => ({ value, label: value }))} onValueChange={setChosen} />
        </Field>
      ) : null}
      {renderCode(example)}
    </QuickstartStep>
  )
}
