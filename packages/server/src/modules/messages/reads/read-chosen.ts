import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { chooseRecipients, type RecipientFilter } from './choose-recipients.ts'
import type { FailedPerson } from './failed-recipients.ts'
import type { ListedCampaign } from './listed-campaign.ts'

const rowsAtOnce = 10_000

/**
 * The recipients of a filter in the order of the audience, page by page. They are chosen once, by a cursor of the caller's transaction,
 * which reads nothing else meanwhile by the same name.
 */
export async function* readChosen(
  db: Db,
  campaign: ListedCampaign,
  filter: RecipientFilter,
): AsyncGenerator<FailedPerson[]> {
  const { organizationId, audienceId } = campaign
  await sql`
    declare chosen_recipients no scroll cursor for
    select chosen.seq, recipient.phone, recipient.variables from (${chooseRecipients(campaign, filter)}) chosen
    join recipients recipient on recipient.organization_id = ${organizationId}::uuid and recipient.audience_id = ${audienceId}::uuid
      and recipient.seq = chosen.seq
    order by chosen.seq`.execute(db)
  for (;;) {
    const { rows } = await sql<FailedPerson>`fetch ${sql.lit(rowsAtOnce)} from chosen_recipients`.execute(db)
    if (rows.length > 0) yield rows
    if (rows.length < rowsAtOnce) break
  }
  await sql`close chosen_recipients`.execute(db)
}
