import { numberArray, run, textArray, type Queryable, type Statement } from '../statements.ts'
import type { ConversationCharge } from './open-conversations.ts'

/** The prices of the resellers above apply as of now, like the sender's own. */
const charge: Statement = {
  name: 'charge-conversations',
  text: `
  select charge_afterwards($1, balance, units, 'conversation:' || id, id::text),
    freeze_shares($1, id, 0::smallint, price, channel, category, country)
  from unnest($2::uuid[], $3::uuid[], $4::bigint[], $5::bigint[], $6::text[], $7::text[], $8::text[])
    as charge (id, balance, units, price, channel, category, country)`,
}

const pass: Statement = {
  name: 'pass-conversations',
  text: `
  select pass_up($1, array[id], array[0::smallint], array[units], 'conversation:' || id)
  from unnest($2::uuid[], $3::bigint[]) as charge (id, units)`,
}

/** What the sender's balances pay, in the order of their ids. */
export async function chargeBalances(
  db: Queryable,
  organizationId: string,
  charges: readonly ConversationCharge[],
): Promise<void> {
  if (charges.length === 0) return
  await run(db, charge, [
    organizationId,
    textArray(charges.map(({ id }) => id)),
    textArray(charges.map(({ balance }) => balance)),
    numberArray(charges.map(({ units }) => units)),
    numberArray(charges.map(({ price }) => price)),
    textArray(charges.map(({ channel }) => channel)),
    textArray(charges.map(({ category }) => category)),
    textArray(charges.map(({ country }) => country)),
  ])
}

/** What the organisations above earn and pay; last, because their balances are shared. */
export async function passCharges(
  db: Queryable,
  organizationId: string,
  charges: readonly ConversationCharge[],
): Promise<void> {
  if (charges.length === 0) return
  const values = [textArray(charges.map(({ id }) => id)), numberArray(charges.map(({ units }) => units))]
  await run(db, pass, [organizationId, ...values])
}
