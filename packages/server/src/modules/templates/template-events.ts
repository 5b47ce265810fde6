import type { Db } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'

type TemplateKey = { organization_id: string; id: string }
/** `words` is the text for users. */
export type TemplateEventInput = { event: string; words: string; at?: Date; actorId?: string }

/** Adds a line to the history of a reviewed template. */
export async function addTemplateEvent(
  db: Db,
  { organization_id, id }: TemplateKey,
  { event, words, at = new Date(), actorId }: TemplateEventInput,
): Promise<void> {
  await db
    .insertInto('template_events')
    .values({
      organization_id,
      id: newId(),
      template_id: id,
      at,
      actor_id: actorId ?? null,
      event,
      details: JSON.stringify({ words }),
    })
    .execute()
}

/** A callback that is delivered twice adds one entry to the history. */
export async function addNotice(db: Db, row: TemplateKey, { words, at }: { words: string; at: Date }): Promise<void> {
  const known = await db
    .selectFrom('template_events')
    .select('id')
    .where('organization_id', '=', row.organization_id)
    .where('template_id', '=', row.id)
    .where('event', '=', 'notice')
    .where('at', '=', at)
    .executeTakeFirst()
  if (!known) await addTemplateEvent(db, row, { event: 'notice', words, at })
}

/** The history of a template in the order in which it was recorded, because providers report times in whole seconds. */
export async function listTemplateEvents(
  db: Db,
  { organization_id, id }: TemplateKey,
): Promise<{ at: string; event: string; detail: string }[]> {
  const rows = await db
    .selectFrom('template_events')
    .select(['at', 'event', 'details'])
    .where('organization_id', '=', organization_id)
    .where('template_id', '=', id)
    .orderBy('id')
    .execute()
  return rows.map(({ at, event, details }) => {
    const words: unknown = Object(details).words
    return { at: at.toISOString(), event, detail: typeof words === 'string' ? words : event }
  })
}
