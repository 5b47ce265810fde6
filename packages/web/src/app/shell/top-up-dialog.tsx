import { useState, type FormEvent } from 'react'
import { CallError } from '../../lib/call.ts'
import { formatCount, formatMoney, formatMoneyInProse, formatUnitPrice } from '../../lib/format.ts'
import { closeTopUp, type TopUp } from '../../lib/top-up.ts'
import { useApi, useApiWrite } from '../../lib/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.tsx'
import { texts } from '../texts.ts'
import { smsPriceOf } from './use-account.ts'

const steps = [5000, 10_000, 25_000] as const

/** Asks the account above for balance: an amount, and what it would buy. */
export function TopUpDialog({ amount, note: reason = '' }: TopUp) {
  const [text, setText] = useState(amount === undefined ? '' : String(Math.ceil(amount)))
  const [note, setNote] = useState(reason)
  const [wrong, setWrong] = useState<string>()
  const rates = useApi('rates.list', { query: { channel: 'sms' } })
  const request = useApiWrite('balance.request', {
    refreshes: ['topUps.list'],
    onSuccess({ requestedBalance }) {
      closeTopUp()
      toast.success(texts.topUp.sent, { description: formatMoney(requestedBalance) })
    },
  })
  const rupees = readAmount(text)
  const price = smsPriceOf(rates.data)

  function send(event: FormEvent) {
    event.preventDefault()
    if (rupees === undefined || rupees < 0.01) return setWrong(texts.topUp.invalid)
    request.mutate({ body: { requestedBalance: rupees, note } })
  }

  function add(step: number) {
    setWrong(undefined)
    setText(String((rupees ?? 0) + step))
  }

  return (
    <Dialog
      open
      onOpenChange={closeTopUp}
      title="Request a top-up"
      description="Your account manager is told, and moves the balance once it is approved."
      footer={
        <>
          <Button onClick={closeTopUp}>Cancel</Button>
          <Button type="submit" form="top-up" variant="primary" loading={request.isPending}>
            Request top-up
          </Button>
        </>
      }
    >
      <form id="top-up" noValidate onSubmit={send} className="flex flex-col gap-4">
        <Field label="Amount" error={wrong} help={worthOf(rupees, price)}>
          <Input
            inputMode="decimal"
            autoComplete="off"
            autoFocus
            leading={
              <span aria-hidden className="text-muted-foreground">
                ₹
              </span>
            }
            value={text}
            onChange={({ target }) => {
              setWrong(undefined)
              setText(target.value)
            }}
          />
        </Field>
        <div className="-mt-1 flex flex-wrap gap-2">
          {steps.map((step) => (
            <Button key={step} size="sm" onClick={() => add(step)}>
              +{formatMoneyInProse(step)}
            </Button>
          ))}
        </div>
        <Field label="Note" hint="optional">
          <Input maxLength={200} value={note} onChange={({ target }) => setNote(target.value)} />
        </Field>
        {request.error ? <Notice tone="bad">{messageOf(request.error)}</Notice> : null}
      </form>
    </Dialog>
  )
}

/** Rupees as a person types them: with commas, spaces, a sign of the currency. */
function readAmount(text: string): number | undefined {
  const plain = text.replaceAll(/[\s,₹]/g, '')
  return /^\d{1,10}(?:\.\d{1,4})?$/.test(plain) ? Number(plain) : undefined
}

function worthOf(rupees: number | undefined, price: number | undefined): string | undefined {
  if (!price) return undefined
  if (!rupees) return `An SMS part costs ${formatUnitPrice(price)}`
  return `≈ ${formatCount(Math.floor(rupees / price))} SMS parts at ${formatUnitPrice(price)}`
}

function messageOf(error: Error): string {
  return error instanceof CallError && error.message !== '' ? error.message : texts.topUp.failed
}
