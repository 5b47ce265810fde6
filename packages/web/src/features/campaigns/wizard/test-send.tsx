import { letterOfVariant, positionOfVariant } from '@carillon/contract/variant-positions'
import { useState } from 'react'
import { MessageFate } from '../../../channels/message-fate.tsx'
import { mayCall, type CallError } from '../../../lib/call.ts'
import { countOf, formatUnitPrice } from '../../../lib/format.ts'
import { useApiWrite } from '../../../lib/use-api.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'

type TestSendProps = {
  /** Saves the draft and returns its id. */
  flush: () => Promise<string | undefined>
  seq: number
  /** The message of an A/B test that is sent; absent for the first message of a campaign without one. */
  variant?: number | undefined
  /** The recipient whose values are used, and the cost; absent if messages have no parts. */
  name: string | undefined
  parts?: number | undefined
  cost: number | undefined
}

/** Sends one recipient's message to the user's own number, at the usual price. */
export function TestSend({ flush, seq, variant, name, parts, cost }: TestSendProps) {
  const [number, setNumber] = useState('')
  const [problem, setProblem] = useState<string>()
  const onError = (error: CallError) => setProblem(error.details[0]?.message ?? error.message)
  const send = useApiWrite('drafts.test', { refreshes: ['balance.get', 'drafts.estimate'], onError })
  if (!mayCall('drafts.test')) return null

  async function submit() {
    const phoneNumber = asE164(number)
    setProblem(phoneNumber ? undefined : 'Enter a mobile number with ten digits, or one with its country code')
    if (!phoneNumber) return
    try {
      const id = await flush()
      if (id) send.mutate({ path: { id }, body: { phoneNumber, seq, leg: positionOfVariant(variant ?? 0) } })
    } catch (error) {
      setProblem(error instanceof Error ? error.message : undefined)
    }
  }

  const message = variant === undefined ? '' : `message ${letterOfVariant(variant)} with `
  const uses = `Uses ${message}the row ${name ? `of ${name}` : 'in the preview'}.`
  const counted = parts === undefined ? '' : `${countOf(parts, 'part')}, `
  const price = cost === undefined ? '' : ` ${counted}${formatUnitPrice(cost)}.`
  return (
    <form
      aria-labelledby="test-title"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <h2 id="test-title" className="mb-1 min-h-8 text-section font-semibold">
        Test send
      </h2>
      <Field label={<span className="sr-only">Your number</span>} error={problem} help={uses + price}>
        <span className="flex gap-2">
          <Input
            id="test-number"
            type="tel"
            autoComplete="tel"
            aria-label="Your number"
            leading={number.startsWith('+') ? null : <span className="text-muted-foreground">+91</span>}
            placeholder="99001 40016"
            maxLength={20}
            invalid={problem !== undefined}
            value={number}
            onChange={(event) => {
              setNumber(event.target.value)
              setProblem(undefined)
            }}
          />
          <Button type="submit" loading={send.isPending} className="max-md:h-11">
            Send test
          </Button>
        </span>
      </Field>
      {send.data && !problem ? (
        <div className="mt-2 flex min-h-6 flex-wrap items-center gap-2 text-dense">
          <span>Test sent</span>
          <MessageFate key={send.data.messageId} messageId={send.data.messageId} />
        </div>
      ) : null}
    </form>
  )
}

/** Ten digits are an Indian number; others need a plus sign. */
export function asE164(text: string): string | undefined {
  const digits = text.replaceAll(/\D/g, '')
  if (text.trim().startsWith('+')) return /^[1-9]\d{6,14}$/.test(digits) ? `+${digits}` : undefined
  const national = digits.replace(/^0/, '')
  if (/^[6-9]\d{9}$/.test(national)) return `+91${national}`
  return /^91[6-9]\d{9}$/.test(digits) ? `+${digits}` : undefined
}
