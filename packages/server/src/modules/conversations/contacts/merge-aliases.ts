import { newId } from '../../../lib/ids.ts'
import { byLine, type OnInbound } from '../../messages/index.ts'

/**
 * The contacts of a number and of an id by which the same person was known before. The one that members named stays, else the one
 * that was known first. A merge that a member undid is not repeated.
 */
const find = {
  name: 'find-aliases',
  text: `
  select distinct case when number_name.id is not null and alias_name.id is null then alias.contact_id else number.contact_id end as "from",
    case when number_name.id is not null and alias_name.id is null then number.contact_id else alias.contact_id end as "to"
  from unnest($3::text[], $4::text[]) as input (identity, alias)
  join senders sender on sender.organization_id = $1 and sender.id = $2
  join contact_identities number on number.organization_id = $1 and number.channel = sender.channel and number.identity = input.identity
  join contact_identities alias on alias.organization_id = $1 and alias.channel = sender.channel and alias.identity = input.alias
  left join contacts number_name on number_name.organization_id = $1 and number_name.id = number.contact_id
  left join contacts alias_name on alias_name.organization_id = $1 and alias_name.id = alias.contact_id
  where number.contact_id <> alias.contact_id and not exists (
    select from contact_changes change
    where change.organization_id = $1 and change.actor_id is null and change.undone_at is not null
      and (change.from_contact_id, change.to_contact_id) in ((number.contact_id, alias.contact_id), (alias.contact_id, number.contact_id)))`,
}

const merge = {
  name: 'merge-aliases',
  text: `
  with moved as materialized (
    select move_identities($1, $2, $3, null) as identities
  ), recorded as (
    insert into contact_changes (organization_id, id, kind, from_contact_id, to_contact_id, identities)
    select $1, $4, 'merge', $2, $3, identities from moved where identities <> '[]'
  )
  select show_contact($1, identities, 'contact_merged', null, null, '{}') from moved`,
}

/** A person who was known by an id only has shown their number: both become one contact, until a member undoes it. */
export const mergeAliases: OnInbound = async (db, stored) => {
  for (const { key, messages } of byLine(stored.filter(({ alias }) => alias !== undefined))) {
    const { rows } = await db.query<{ from: string; to: string }>({
      ...find,
      values: [
        key.organizationId,
        key.senderId,
        messages.map(({ identity }) => identity),
        messages.map(({ alias }) => alias),
      ],
    })
    for (const { from, to } of rows) await db.query({ ...merge, values: [key.organizationId, from, to, newId()] })
  }
}
