import type { RateCard } from '@carillon/contract/billing'
import type { Profile } from '@carillon/contract/accounts'
import { ReceiptIndianRupee, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { formatDate, formatUnitPrice } from '../../lib/format.ts'
import { useApi, useApiWrite } from '../../lib/use-api.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { rateName } from '../../ui/rate-name.ts'
import { Empty } from '../../ui/empty.tsx'
import { Field } from '../../ui/field.tsx'
import { Pill } from '../../ui/pill.tsx'
import { Region } from '../../ui/region.tsx'
import { Select } from '../../ui/select.tsx'
import { toast } from '../../ui/toast.tsx'
import { RateCardDialog } from './rate-card-dialog.tsx'

/** Prices of accounts below, by account: current, past and future rate cards. */
export function RatesSection({ profile }: { profile: Profile }) {
  const isAdmin = profile.type === 'admin'
  const [userId, setUserId] = useState(isAdmin ? profile._id : '')
  const [adding, setAdding] = useState(false)
  const users = useApi('users.list', {
    query: { type: 'reseller,manager', limit: 100, sort: 'name', direction: 'asc' },
  })
  const own = isAdmin ? [{ value: profile._id, label: 'All accounts (base prices)' }] : []
  const options = [...own, ...(users.data?.users.map(({ _id, name }) => ({ value: _id, label: name })) ?? [])]
  return (
    <div className="flex flex-col gap-4">
      <div className="flex items-end gap-3">
        <Field label="Price list for" className="flex-1">
          <Select
            value={userId}
            placeholder={users.isPending ? 'Loading…' : 'Choose an account'}
            options={options}
            onValueChange={setUserId}
          />
        </Field>
        <Button variant="primary" disabled={userId === ''} onClick={() => setAdding(true)}>
          New card
        </Button>
      </div>
      {userId === '' ? (
        <Empty icon={ReceiptIndianRupee} title="Choose an account to see what it pays">
          An account without its own rate card pays the prices of the account above it.
        </Empty>
      ) : (
        <Cards key={userId} userId={userId} />
      )}
      {adding ? (
        <RateCardDialog
          userId={userId}
          name={options.find(({ value }) => value === userId)?.label ?? ''}
          isBase={userId === profile._id}
          onClose={() => setAdding(false)}
        />
      ) : null}
    </div>
  )
}

function Cards({ userId }: { userId: string }) {
  const cards = useApi('rateCards.list', { query: { userId } })
  return (
    <Region read={cards} label="the price lists" lines={4}>
      {({ rateCards }) =>
        rateCards.length === 0 ? (
          <Empty icon={ReceiptIndianRupee} title="No rate card of its own">
            It pays the prices of the account above it.
          </Empty>
        ) : (
          <ul className="flex flex-col gap-3">
            {rateCards.map((card, index) => (
              <Card key={card._id} card={card} isCurrent={index === rateCards.findIndex(isInForce)} />
            ))}
          </ul>
        )
      }
    </Region>
  )
}

function isInForce({ validFrom }: RateCard): boolean {
  return Date.parse(validFrom) <= Date.now()
}

function Card({ card, isCurrent }: { card: RateCard; isCurrent: boolean }) {
  const remove = useApiWrite('rateCards.remove', {
    refreshes: ['rateCards.list'],
    onSuccess: () => toast.success(`${card.name} removed`),
    onError: ({ message }) => toast.error(message),
  })
  const isToCome = !isInForce(card)
  return (
    <li className="rounded-lg border border-border">
      <div className="flex min-h-11 items-center gap-2 px-4 py-2">
        <b className="min-w-0 truncate font-medium">{card.name}</b>
        {isCurrent ? <Pill tone="good">Active</Pill> : isToCome ? <Pill tone="info">Upcoming</Pill> : null}
        <span className="ml-auto text-dense text-muted-foreground">from {formatDate(card.validFrom)}</span>
        {isToCome ? (
          <IconButton
            label={`Remove ${card.name}`}
            size="sm"
            loading={remove.isPending}
            onClick={() => remove.mutate({ path: { id: card._id } })}
          >
            <Trash2 aria-hidden />
          </IconButton>
        ) : null}
      </div>
      <dl className="border-t border-line px-4 py-1">
        {card.rates.map(({ channel, category, country, price, billableOn }) => (
          <div key={`${channel} ${category} ${country}`} className="flex min-h-8 items-center gap-3">
            <dt className="min-w-0 flex-1 truncate text-dense">
              {rateName({ channel, category, country })}
              {billableOn === 'delivered' ? ', when delivered' : ''}
            </dt>
            <dd className="tabular-nums">{formatUnitPrice(price)}</dd>
          </div>
        ))}
      </dl>
    </li>
  )
}
