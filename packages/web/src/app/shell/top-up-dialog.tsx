import { ArrowRight } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { CallError } from '../../lib/call.ts'
import { formatCount, formatMoney, formatMoneyInProse, formatUnitPrice } from '../../lib/format.ts'
import { closeTopUp, type TopUp } from '../../lib/top-up.ts'
import { typedAmount } from '../../lib/typed-amount.ts'
import { useApiWrite } from '../../lib/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.tsx'
import { texts } from '../texts.ts'
import { useMessagePrice } from './message-price.ts'
import { useBalance } from './use-account.ts'

const steps = [5000, 10_000, 25_000] as const

/** Top-up request: an amount, and how many messages it pays for. */
export function TopUpDialog({ amount, note: reason = '' }: TopUp) {
  const [text, setText] = useState(amount === undefined ? '' : String(Math.ceil(amount)))
  const [note, setNote] = useState(reason)
  const [wrong, setWrong] = useState<string>()
  const { balance } = useBalance()
  const price = useMessagePrice()
  const request = useApiWrite('balance.request', {
    refreshes: ['topUps.list'],
    onSuccess({ requestedBalance }) {
      closeTopUp()
      toast.success(texts.topUp.sent, { description: formatMoney(requestedBalance) })
    },
  })
  const rupees = typedAmount(text)

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
      title="Request top-up"
      description="Your request goes to your account manager for approval."
      footer={
        <>
          <Button onClick={closeTopUp}>Cancel</Button>
          <Button type="submit" form="top-up" variant="primary" loading={request.isPending}>
            {rupees ? `Request ${formatMoney(rupees)}` : 'Request top-up'}
          </Button>
        </>
      }
    >
      <form id="top-up" noValidate onSubmit={send} className="flex flex-col gap-4">
        <Field label="Amount" error={wrong}>
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
        <div className="-mt-2 grid grid-cols-3 gap-2">
          {steps.map((step) => (
            <Button key={step} size="sm" className="max-md:h-11" onClick={() => add(step)}>
              +{formatMoneyInProse(step)}
            </Button>
          ))}
        </div>
        <Outcome balance={balance} rupees={rupees ?? 0} price={price} />
        <Field label="Note" hint="optional">
          <Input maxLength={200} value={note} onChange={({ target }) => setNote(target.value)} />
        </Field>
        {request.error ? <Notice tone="bad">{messageOf(request.error)}</Notice> : null}
      </form>
    </Dialog>
  )
}

type Price = ReturnType<typeof useMessagePrice>
type OutcomeProps = { balance: number | undefined; rupees: number; price: Price }

/** The balance before and after, and how many messages the amount pays for. */
function Outcome({ balance, rupees, price }: OutcomeProps) {
  if (balance === undefined) return null
  return (
    <dl aria-live="polite" className="border-y border-line py-3 tabular-nums">
      <div className="flex flex-wrap items-center gap-x-2">
        <dt className="text-muted-foreground">Balance</dt>
        <dd className="ml-auto flex items-center gap-2">
          <span className={rupees > 0 ? undefined : 'font-semibold'}>{formatMoney(balance)}</span>
          {rupees > 0 ? (
            <>
              <ArrowRight aria-label="becomes" className="size-4 text-muted-foreground" />
              <span className="font-semibold">{formatMoney(balance + rupees)}</span>
            </>
          ) : null}
        </dd>
      </div>
      {price ? (
        <div className="mt-0.5 text-right text-caption text-muted-foreground">
          <dt className="sr-only">Worth</dt>
          <dd>{worthOf(rupees, price)}</dd>
        </div>
      ) : null}
    </dl>
  )
}

function worthOf(rupees: number, { price, unit, units }: NonNullable<Price>): string {
  if (rupees <= 0) return `${unit} costs ${formatUnitPrice(price)}`
  return `About ${formatCount(Math.floor(rupees / price))} ${units} at ${formatUnitPrice(price)}`
}

function messageOf(error: Error): string {
  return error instanceof CallError && error.message !== '' ? error.message : texts.topUp.failed
}
