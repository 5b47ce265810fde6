import { ArrowRight } from 'lucide-react'
import { useState } from 'react'
import { formatMoney } from '../../lib/format.ts'
import { useUser } from '../../lib/session.ts'
import { typedAmount } from '../../lib/typed-amount.ts'
import { useApi, useApiWrite } from '../../lib/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.tsx'
import { moneyReads } from './reads.ts'
import type { ActionDialogProps } from './user-action.ts'

const words = {
  add: { title: 'Add balance', action: 'Add balance', done: 'added to' },
  deduct: { title: 'Deduct balance', action: 'Deduct balance', done: 'taken from' },
} as const

type BalanceDialogProps = ActionDialogProps & { direction: keyof typeof words }

/** Adds or deducts balance; shows both balances before and after while the amount is typed. */
export function BalanceDialog({ user, onClose, direction }: BalanceDialogProps) {
  const [text, setText] = useState('')
  const [note, setNote] = useState('')
  const [wrong, setWrong] = useState<string>()
  const me = useUser()
  const own = useApi('balance.get', {}, { enabled: me?.type !== 'admin' })
  const move = useApiWrite(direction === 'add' ? 'balance.add' : 'balance.deduct', {
    refreshes: moneyReads,
    onSuccess() {
      onClose()
      toast.success(`${formatMoney(amount ?? 0)} ${words[direction].done} ${user.name}`)
    },
  })
  const amount = typedAmount(text)
  const sign = direction === 'add' ? 1 : -1
  const balance = user.balance ?? 0

  function submit() {
    if (amount === undefined || amount < 0.01) return setWrong('Please enter a valid balance amount')
    move.mutate({ body: { userId: user._id, amount, note } })
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`${words[direction].title}: ${user.name}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            form="move-balance"
            variant={direction === 'add' ? 'primary' : 'destructive'}
            loading={move.isPending}
          >
            {words[direction].action}
          </Button>
        </>
      }
    >
      <form
        id="move-balance"
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Field label="Amount" error={wrong}>
          <Input
            autoFocus
            inputMode="decimal"
            autoComplete="off"
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
        <dl className="grid grid-cols-[1fr_auto] gap-y-1.5 rounded-lg border border-line bg-sunken p-3 tabular-nums">
          <WasWillBe label={user.name} was={balance} change={sign * (amount ?? 0)} />
          {own.data ? <WasWillBe label="Yours" was={own.data.balance} change={-sign * (amount ?? 0)} /> : null}
        </dl>
        <Field label="Note" hint="optional" help="Shown on both statements.">
          <Input maxLength={200} value={note} onChange={({ target }) => setNote(target.value)} />
        </Field>
        {move.error ? <Notice tone="bad">{move.error.message}</Notice> : null}
      </form>
    </Dialog>
  )
}

function WasWillBe({ label, was, change }: { label: string; was: number; change: number }) {
  const will = was + change
  return (
    <>
      <dt className="truncate pr-3 text-muted-foreground">{label}</dt>
      <dd className="flex items-center gap-1.5">
        {formatMoney(was)}
        <ArrowRight aria-label="becomes" className="size-3.5 text-muted-foreground" />
        <b className={will < 0 ? 'font-medium text-danger-text' : 'font-medium'}>{formatMoney(will)}</b>
      </dd>
    </>
  )
}
