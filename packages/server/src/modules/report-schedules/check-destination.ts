import type { UserActor } from '../../actor.ts'
import type { RunTransaction } from '../../db/pool.ts'
import type { Egress } from '../../egress/egress.ts'
import type { Clock } from '../../lib/clock.ts'
import { conflict } from '../../lib/problem.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import { queueMail } from '../mails/index.ts'
import { openSecrets } from './destinations.ts'
import { postTest } from './post-report.ts'
import type { AttemptResult } from './record-attempt.ts'
import { destinationOf, getScheduleRow } from './schedules.queries.ts'
import { testBucket } from './upload-report.ts'

export type TestDeps = { clock: Clock; egress: Egress; secretBox: SecretBox }

type Test = { actor: UserActor; id: string; scoped: RunTransaction }

/** Sends something without a report to the destination of a schedule. */
export async function testDestination(deps: TestDeps, { actor, id, scoped }: Test) {
  const schedule = await scoped((db) => getScheduleRow(db, { id, scope: actor.scope }))
  const { organization_id: organizationId, name } = schedule
  const destination = destinationOf(schedule)
  if (destination.type === 'email') {
    await scoped(async (db) => {
      for (const to of destination.addresses)
        await queueMail(db, {
          organizationId,
          to,
          subject: `Test of ${name}`,
          body: `The scheduled report "${name}" will be sent to this address.`,
        })
    })
    return { succeeded: true, response: `Sent to ${destination.addresses.join(', ')}` }
  }
  const secrets = readSecrets(deps.secretBox, { organizationId, id }, schedule.secrets)
  const result =
    destination.type === 's3'
      ? await testBucket(deps.egress, destination, secrets)
      : await postTest(deps, destination, secrets)
  return present(result)
}

function readSecrets(secretBox: SecretBox, place: { organizationId: string; id: string }, sealed: Buffer | null) {
  try {
    return openSecrets(secretBox, place, sealed)
  } catch {
    throw conflict('The secret of this destination cannot be read: enter it again')
  }
}

function present({ error, response }: AttemptResult) {
  const words = error === null ? response : [error, response].filter((part) => part !== null).join(': ')
  return { succeeded: error === null, response: words ?? '' }
}
