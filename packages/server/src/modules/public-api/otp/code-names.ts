import type { OtpWording } from '@carillon/contract/otp'
import { getChannel } from '../../../channels/index.ts'
import type { Db } from '../../../db/pool.ts'
import { valuesOf } from '../../conversations/index.ts'

type Template = NonNullable<OtpWording['template']>

/** The variable for the code by the id or name of the template: its only one. Absent if it has others as well. */
export async function findCodeNames(
  db: Db,
  organizationId: string,
  templates: readonly Template[],
): Promise<ReadonlyMap<string, string>> {
  const ids = templates.flatMap(({ id }) => (id === undefined ? [] : [id]))
  const names = templates.flatMap(({ name }) => (name === undefined ? [] : [name]))
  const rows = await db
    .selectFrom('templates')
    .select(['id', 'name', 'channel', 'content', 'facts'])
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .where(({ or, eb }) =>
      or([...(ids.length > 0 ? [eb('id', 'in', ids)] : []), ...(names.length > 0 ? [eb('name', 'in', names)] : [])]),
    )
    .execute()
  return new Map(
    rows.flatMap(({ id, name, channel, content, facts }): [string, string][] => {
      const [only, other] = valuesOf(getChannel(channel), { content, facts })
      return only === undefined || other !== undefined
        ? []
        : [
            [id, only],
            [name, only],
          ]
    }),
  )
}
