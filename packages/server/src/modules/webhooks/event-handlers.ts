import type { eventEndpoints } from '@carillon/contract/events'
import type { Handlers } from '../../http/handlers.ts'
import type { Clock } from '../../lib/clock.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import { fetchEvents, startListening, stopListening, triggerEvent } from './listeners.ts'

export type EventDeps = { clock: Clock; secretBox: SecretBox; isDraining(): boolean }

const pauseMs = 500

export function eventHandlers({ clock, secretBox, isDraining }: EventDeps): Handlers<typeof eventEndpoints> {
  return {
    'events.listen': ({ db, actor, input }) => startListening(db, { actor, wanted: input.body, secretBox }),
    'events.list': {
      async withoutTransaction({ actor, input: { query }, scoped }) {
        const end = Date.now() + query.waitSeconds * 1000
        for (;;) {
          const fetched = await scoped((db) => fetchEvents(db, { actor, query, secretBox, now: clock.now() }))
          if (fetched.events.length > 0 || Date.now() + pauseMs > end || isDraining()) return fetched
          await new Promise((resolve) => setTimeout(resolve, pauseMs))
        }
      },
    },
    'events.trigger': async ({ db, actor, input }) => ({
      id: await triggerEvent(db, { actor, id: input.path.id, now: clock.now() }),
    }),
    'events.stop': async ({ db, actor, input }) => {
      await stopListening(db, { actor, id: input.path.id })
      return { id: input.path.id }
    },
  }
}
