import type { CardRate, RateCard } from '@carillon/contract/billing'
import { Channel } from '@carillon/contract/channels'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { newId } from '../../lib/ids.ts'
import { badField, conflict, notFound, Problem } from '../../lib/problem.ts'
import { getAccount, isFounder, type AccountRow } from '../accounts/index.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { findRate } from './find-rate.ts'
import { listRates } from './list-rates.ts'
import { formatPrice, toRupees, toUnits } from './rupees.ts'

type Markup = { type: 'percent' | 'fixed'; value: number }
type UnitRate = Omit<CardRate, 'price'> & { price: number }

export type NewRateCard = {
  actor: UserActor
  userId: string
  name: string
  validFrom?: string | undefined
  rates?: CardRate[] | undefined
  markup?: Markup | undefined
}

/** Sets prices of an organisation below from a given day; an admin's own are the base prices. Prices may be below the own cost, but not zero. */
export async function createRateCard(db: Db, card: NewRateCard): Promise<RateCard> {
  const { actor, userId, name, markup } = card
  const account = await getPriced(db, actor, userId)
  const validFrom = await settleStart(db, actor, card.validFrom)
  const rates = card.rates?.length ? card.rates.map(toUnitRate) : await markUp(db, actor, markup)
  assertDistinct(rates)
  await assertNotFree(db, actor, { account, rates })

  const id = newId()
  const { rows } = await sql<{ added: boolean }>`
    select add_rate_card(${id}::uuid, ${account.id}::uuid, ${name}, ${validFrom}, ${markup ? JSON.stringify(markup) : null}::jsonb,
      ${actor.accountId}::uuid, ${JSON.stringify(rates.map(({ billableOn, ...rate }) => ({ ...rate, billable_on: billableOn })))}::jsonb) as added`.execute(
    db,
  )
  if (!rows[0]?.added) throw notFound('User')
  await recordAudit(db, {
    organizationId: account.organization_id,
    ...whoActs(actor),
    action: 'rate_card.created',
    object: { type: 'rate_card', id },
    details: { name, prices: rates.length, validFrom: validFrom.toISOString() },
  })
  const created = (await readCards(db, account.id)).find((row) => row.id === id)
  if (!created) throw notFound('Rate card')
  return presentCard(created, actor)
}

/** An organisation strictly below; for an admin also their own account. */
async function getPriced(db: Db, actor: UserActor, userId: string): Promise<AccountRow> {
  const account = await getAccount(db, { id: userId, scope: actor.scope })
  if (account.id === actor.accountId && actor.role !== 'admin')
    throw new Problem('forbidden', 'Your own prices are set by the account above yours')
  if (!isFounder(account)) throw badField('userId', 'Prices are set for an organisation, not for a member')
  return account
}

async function settleStart(db: Db, { timezone }: UserActor, day: string | undefined): Promise<Date> {
  const { rows } = await sql<{ start: Date; is_past: boolean }>`
    select greatest(clock_timestamp(), day_start(${day ?? null}::date, ${timezone})) as start,
      ${day ?? null}::date < local_day(now(), ${timezone}) as is_past`.execute(db)
  const found = rows[0]
  if (!found || found.is_past)
    throw badField('validFrom', 'Prices cannot change in the past: choose today or a later day')
  return found.start
}

function toUnitRate(rate: CardRate): UnitRate {
  try {
    return { ...rate, price: toUnits(rate.price) }
  } catch {
    throw badField('rates', 'A price has at most four decimals')
  }
}

/** The caller's own prices plus the markup, rounded up to the smallest unit. */
async function markUp(db: Db, { scope }: UserActor, markup: Markup | undefined): Promise<UnitRate[]> {
  if (!markup) throw badField('rates', 'Enter prices, or a markup on your own')
  const own = await listRates(db, { scope })
  if (own.length === 0) throw conflict('You have no prices of your own yet to mark up')
  return own.map(({ channel, category, country, price, billableOn }) => ({
    channel,
    category,
    country,
    billableOn,
    // Rounded to a millionth of a unit first, since products such as 1250 × 1.1 are inexact.
    price: Math.ceil(
      Number((markup.type === 'percent' ? price * (1 + markup.value / 100) : price + markup.value * 10_000).toFixed(6)),
    ),
  }))
}

function assertDistinct(rates: readonly UnitRate[]) {
  const keys = rates.map(({ channel, category, country }) => `${channel} ${category} ${country}`)
  const twice = keys.find((key, index) => keys.indexOf(key) !== index)
  if (twice) throw badField('rates', `There are two prices for ${twice}`)
}

/** A message that is free for the account below could not be charged to those above. */
async function assertNotFree(db: Db, actor: UserActor, { account, rates }: { account: AccountRow; rates: UnitRate[] }) {
  if (account.id === actor.accountId) return
  for (const { channel, category, country, price } of rates) {
    if (price > 0) continue
    const above = await findRate(db, { organizationId: actor.organizationId, channel, category, country })
    if (above && above.price > 0)
      throw badField(
        'rates',
        `${channel} ${category} ${country} costs you ${formatPrice(above.price)}: charge at least ₹0.0001 for it`,
      )
  }
}

type CardRow = {
  id: string
  organization_id: string
  name: string
  valid_from: Date
  created_at: Date
  markup: unknown
  rates: unknown
}

const StoredRates = z.array(
  z.object({
    channel: Channel,
    category: z.string(),
    country: z.string(),
    price: z.number(),
    billable_on: z.enum(['sent', 'delivered']),
  }),
)
const StoredMarkup = z.object({ type: z.enum(['percent', 'fixed']), value: z.number() })

export async function listRateCards(
  db: Db,
  { actor, userId = actor.accountId }: { actor: UserActor; userId?: string | undefined },
): Promise<{ rateCards: RateCard[] }> {
  const account = await getAccount(db, { id: userId, scope: actor.scope })
  const rows = await readCards(db, account.organization_id)
  return { rateCards: rows.map((row) => presentCard(row, actor)) }
}

async function readCards(db: Db, organizationId: string): Promise<CardRow[]> {
  const { rows } = await sql<CardRow>`
    select card.id, card.organization_id, name, valid_from, created_at, markup,
      (select coalesce(json_agg(rates order by channel, category, country), '[]') from rates
        where rates.organization_id = card.organization_id and rate_card_id = card.id) as rates
    from rate_cards card
    where organization_id = ${organizationId}::uuid
    order by valid_from desc, created_at desc limit 100`.execute(db)
  return rows
}

/** Only its creator sees how a card was derived. */
function presentCard(row: CardRow, actor: UserActor): RateCard {
  const isOwn = row.organization_id === actor.organizationId
  const markup = isOwn ? undefined : StoredMarkup.safeParse(row.markup).data
  return {
    _id: row.id,
    userId: row.organization_id,
    name: row.name,
    validFrom: row.valid_from.toISOString(),
    ...(markup ? { markup } : {}),
    rates: StoredRates.parse(row.rates).map(({ billable_on, price, ...rate }) => ({
      ...rate,
      price: toRupees(price),
      billableOn: billable_on,
    })),
    createdAt: row.created_at.toISOString(),
  }
}

/** Only before its first day; afterwards a later card replaces it. */
export async function removeRateCard(
  db: Db,
  { actor, id }: { actor: UserActor; id: string },
): Promise<Record<string, never>> {
  const card = await db
    .selectFrom('rate_cards')
    .innerJoin('accounts', 'accounts.id', 'rate_cards.organization_id')
    .select(['rate_cards.organization_id', 'rate_cards.name', 'valid_from'])
    .where('rate_cards.id', '=', id)
    .executeTakeFirst()
  if (!card) throw notFound('Rate card')
  if (card.organization_id === actor.organizationId && actor.role !== 'admin')
    throw new Problem('forbidden', 'Your own prices are set by the account above yours')
  const { rows } = await sql<{ removed: boolean }>`
    select remove_rate_card(${card.organization_id}::uuid, ${id}::uuid) as removed`.execute(db)
  if (!rows[0]?.removed) throw conflict('These prices are in effect: add a later rate card instead')
  await recordAudit(db, {
    organizationId: card.organization_id,
    ...whoActs(actor),
    action: 'rate_card.removed',
    object: { type: 'rate_card', id },
    details: { name: card.name },
  })
  return {}
}
