import type { TopUpRequest } from '@carillon/contract/billing'
import { useState } from 'react'
import { formatMoney } from '../lib/format.ts'
import { typedAmount } from '../lib/typed-amount.ts'
import { useApi, useApiWrite } from '../lib/use-api.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Field } from './field.tsx'
import { Input } from './input.tsx'
import { Notice } from './notice.tsx'
import { toast } from './toast.tsx'

/** Approves all or part of a top-up request, or rejects it with a note. */
export function AnswerTopUpDialog({ request, onClose }: { request: TopUpRequest; onClose: () => void }) {
  const [amount, setAmount] = useState(String(request.requestedBalance))
  const [note, setNote] = useState('')
  const balance = useApi('balance.get', {})
  const answer = useApiWrite('topUps.answer', {
    refreshes: [
      'topUps.list',
      'dashboard.attention',
      'balance.get',
      'balance.overview',
      'statement.list',
      'users.list',
    ],
    onSuccess({ status, approvedBalance, name }) {
      onClose()
      toast.success(
        status === 'approved' ? `${formatMoney(approvedBalance ?? 0)} moved to ${name}` : `Request of ${name} rejected`,
      )
    },
  })
  const rupees = typedAmount(amount)
  const isWrong = rupees === undefined || rupees < 0.01

  function say(approve: boolean) {
    if (approve && isWrong) return
    answer.mutate({
      path: { id: request._id },
      body: { approve, note, ...(approve && rupees !== undefined ? { amount: rupees } : {}) },
    })
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`${request.name} asks for ${formatMoney(request.requestedBalance)}`}
      description={request.note === '' ? undefined : `“${request.note}”`}
      footer={
        <>
          <Button variant="bad" loading={answer.isPending} onClick={() => say(false)}>
            Reject
          </Button>
          <Button variant="primary" loading={answer.isPending} onClick={() => say(true)}>
            Approve and move
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Field
          label="Amount"
          error={isWrong ? 'Please enter a valid balance amount' : undefined}
          help={
            balance.data && rupees !== undefined
              ? `Yours: ${formatMoney(balance.data.balance)} → ${formatMoney(balance.data.balance - rupees)}`
              : undefined
          }
        >
          <Input
            inputMode="decimal"
            autoComplete="off"
            leading={
              <span aria-hidden className="text-muted-foreground">
                ₹
              </span>
            }
            value={amount}
            onChange={({ target }) => setAmount(target.value)}
          />
        </Field>
        <Field label="Note" hint="optional">
          <Input maxLength={200} value={note} onChange={({ target }) => setNote(target.value)} />
        </Field>
        {request.hasOwnBalance ? null : <OwnBalanceNotice name={request.name} />}
        {answer.error ? <Notice tone="bad">{answer.error.message}</Notice> : null}
      </div>
    </Dialog>
  )
}

function OwnBalanceNotice({ name }: { name: string }) {
  return (
    <Notice tone="info">
      {name} draws on your organisation’s balance. Approving gives it a balance of its own to spend from.
    </Notice>
  )
}
