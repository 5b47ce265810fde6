import type { EffectiveRate } from '@carillon/contract/balance'
import { useState, type FormEvent } from 'react'
import { countOf, formatCalendarDay, formatUnitPrice } from '../../lib/format.ts'
import { fieldMessages, unplacedMessage, useApi, useApiWrite } from '../../lib/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { rateName } from '../../ui/rate-name.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Region } from '../../ui/region.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { toast } from '../../ui/toast.tsx'

type RateCardDialogProps = { userId: string; name: string; isBase: boolean; onClose: () => void }

/** New prices from a given day: typed, or as a markup on one's own prices. */
export function RateCardDialog({ userId, name: of, isBase, onClose }: RateCardDialogProps) {
  const [how, setHow] = useState<'markup' | 'prices'>(isBase ? 'prices' : 'markup')
  const [markup, setMarkup] = useState({ type: 'percent' as 'percent' | 'fixed', value: '10' })
  const [prices, setPrices] = useState<Record<string, string>>({})
  const [validFrom, setValidFrom] = useState('')
  const own = useApi('rates.list', { query: {} })
  const create = useApiWrite('rateCards.create', {
    refreshes: ['rateCards.list', 'rates.list'],
    onSuccess(card) {
      onClose()
      toast.success(`${card.name} saved`)
    },
  })
  const wrong = fieldMessages(create.error)
  const unplaced = unplacedMessage(create.error, ['markup', 'validFrom'])
  const [wasSent, setSent] = useState(false)
  const rates = own.data?.rates ?? []
  const value = Number(markup.value)
  const typed = how === 'prices' ? rates : []
  const unpriced = typed.find((rate) => !isPrice(prices[keyOf(rate)]))
  const losses = isBase ? [] : typed.filter((rate) => isLoss(rate, prices[keyOf(rate)]))

  function submit(event: FormEvent) {
    event.preventDefault()
    setSent(true)
    if (unpriced) return
    const made =
      how === 'markup'
        ? { markup: { type: markup.type, value } }
        : { rates: rates.map((rate) => typedRate(rate, prices[keyOf(rate)])) }
    const name = `${how === 'markup' ? 'Markup' : 'Prices'} from ${validFrom ? formatCalendarDay(validFrom) : 'today'}`
    create.mutate({ body: { userId, name, ...(validFrom === '' ? {} : { validFrom }), ...made } })
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="medium"
      title={`New prices: ${of}`}
      description="Campaigns already validated keep their price."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="rate-card" variant="primary" loading={create.isPending}>
            Save prices
          </Button>
        </>
      }
    >
      <form id="rate-card" noValidate onSubmit={submit} className="flex flex-col gap-4">
        {isBase ? null : (
          <Segmented
            label="How prices are set"
            value={how}
            options={[
              { value: 'markup', label: 'Markup on mine' },
              { value: 'prices', label: 'Set each price' },
            ]}
            onValueChange={setHow}
          />
        )}
        {how === 'markup' ? <MarkupFields markup={markup} onMarkup={setMarkup} error={wrong['markup']} /> : null}
        <Region read={own} label="the prices" lines={3}>
          {(data) => (
            <PriceTable
              rates={data.rates}
              prices={prices}
              onPrice={(key, price) => setPrices({ ...prices, [key]: price })}
              markup={how === 'markup' ? { type: markup.type, value } : undefined}
            />
          )}
        </Region>
        <Field label="From" hint="optional" help="Leave empty to apply now" error={wrong['validFrom']}>
          <Input type="date" value={validFrom} onChange={({ target }) => setValidFrom(target.value)} />
        </Field>
        <Findings losses={losses} unpriced={wasSent ? unpriced : undefined} refusal={unplaced} />
      </form>
    </Dialog>
  )
}

type FindingsProps = {
  losses: readonly EffectiveRate[]
  unpriced: EffectiveRate | undefined
  refusal: string | undefined
}

function Findings({ losses, unpriced, refusal }: FindingsProps) {
  return (
    <>
      {losses.length > 0 ? (
        <Notice tone="care">{`${countOf(losses.length, 'price')} below your own: each such message is a loss`}</Notice>
      ) : null}
      {unpriced ? (
        <Notice tone="bad">{`Enter a price for ${rateName(unpriced)}: rupees, at most four decimals`}</Notice>
      ) : null}
      {refusal ? <Notice tone="bad">{refusal}</Notice> : null}
    </>
  )
}

type PriceTableProps = {
  rates: readonly EffectiveRate[]
  prices: Record<string, string>
  onPrice: (key: string, price: string) => void
  /** Computes every price; without it, each is typed. */
  markup: { type: 'percent' | 'fixed'; value: number } | undefined
}

function PriceTable({ rates, prices, onPrice, markup }: PriceTableProps) {
  return (
    <table className="w-full table-fixed tabular-nums">
      <thead>
        <tr className="text-left text-caption text-muted-foreground">
          <th className="h-8 font-medium">Kind</th>
          <th className="h-8 w-18 text-right font-medium">Mine</th>
          <th className="h-8 w-28 text-right font-medium md:w-36">Their price</th>
        </tr>
      </thead>
      <tbody>
        {rates.map((rate) => (
          <tr key={keyOf(rate)} className="border-t border-line">
            <th scope="row" className="h-11 text-left font-normal">
              {rateName(rate)}
            </th>
            <td className="text-right text-muted-foreground">{formatUnitPrice(rate.price)}</td>
            <td className="pl-4 text-right">
              {markup ? (
                <b className="font-medium">{formatUnitPrice(withMarkup(rate.price, markup))}</b>
              ) : (
                <Input
                  aria-label={`Price of ${rateName(rate)}`}
                  size="sm"
                  inputMode="decimal"
                  invalid={!isPrice(prices[keyOf(rate)])}
                  value={prices[keyOf(rate)] ?? String(rate.price)}
                  onChange={({ target }) => onPrice(keyOf(rate), target.value)}
                />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type Markup = { type: 'percent' | 'fixed'; value: string }
type MarkupFieldsProps = { markup: Markup; onMarkup: (markup: Markup) => void; error: string | undefined }

function MarkupFields({ markup, onMarkup, error }: MarkupFieldsProps) {
  return (
    <Field label="Markup" error={error}>
      <div className="flex gap-2">
        <Input
          inputMode="decimal"
          value={markup.value}
          onChange={({ target }) => onMarkup({ ...markup, value: target.value })}
        />
        <Segmented
          label="Kind of markup"
          value={markup.type}
          options={[
            { value: 'percent', label: '%' },
            { value: 'fixed', label: '₹ each' },
          ]}
          onValueChange={(type) => onMarkup({ ...markup, type })}
        />
      </div>
    </Field>
  )
}

function typedRate({ channel, category, country, billableOn, price }: EffectiveRate, typed: string | undefined) {
  return { channel, category, country, billableOn, price: typed === undefined ? price : Number(typed) }
}

/** Unchanged prices stay; an empty field is not a price of zero. */
function isPrice(typed: string | undefined): boolean {
  return typed === undefined || /^\d{1,5}(?:\.\d{1,4})?$/.test(typed.trim())
}

function isLoss({ price }: EffectiveRate, typed: string | undefined): boolean {
  return typed !== undefined && isPrice(typed) && Number(typed) < price
}

/** As rounded by the server: up to the next hundredth of a paisa. */
function withMarkup(price: number, { type, value }: { type: 'percent' | 'fixed'; value: number }): number {
  const added = type === 'percent' ? price * (1 + (value || 0) / 100) : price + (value || 0)
  return Math.ceil(Math.round(added * 1e7) / 1e3) / 1e4
}

function keyOf({ channel, category, country }: Pick<EffectiveRate, 'channel' | 'category' | 'country'>): string {
  return `${channel} ${category} ${country}`
}
