import type { Graph } from './graph.ts'
import { savePerson } from './people.ts'

export type Preference = { wabaId: string; phoneNumberId: string; waId: string; value: 'stop' | 'resume' }

/** Stops or resumes marketing messages from this business. */
export function sendMarketingPreference(graph: Graph, { wabaId, phoneNumberId, waId, value }: Preference) {
  const number = graph.meta.numbers.get(phoneNumberId)
  const person = savePerson(graph.meta, waId)
  if (value === 'stop') person.stopped.add(wabaId)
  else person.stopped.delete(wabaId)
  if (!number) return
  graph.outbox.post({
    wabaId,
    phoneNumberId,
    field: 'user_preferences',
    part: JSON.stringify({
      messaging_product: 'whatsapp',
      metadata: { display_phone_number: number.digits, phone_number_id: number.id },
      contacts: [{ profile: { name: person.name }, wa_id: waId }],
      user_preferences: [
        {
          wa_id: waId,
          detail:
            value === 'stop'
              ? 'User requested to stop marketing messages'
              : 'User requested to resume marketing messages',
          category: 'marketing_messages',
          value,
          timestamp: Math.floor(Date.now() / 1000),
        },
      ],
    }),
  })
}
