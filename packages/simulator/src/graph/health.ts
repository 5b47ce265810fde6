import type { Graph } from './graph.ts'
import type { PhoneNumber, Waba } from './objects.ts'

type CanSend = 'AVAILABLE' | 'LIMITED' | 'BLOCKED'
type Entity = {
  entity_type: string
  id: string
  can_send_message: CanSend
  errors?: { error_code: number; error_description: string; possible_solution: string }[]
  additional_info?: string[]
}

export function numberHealth(graph: Graph, number: PhoneNumber, appId: string) {
  const waba = graph.meta.wabas.get(number.wabaId)
  return together([numberEntity(number), ...(waba ? wabaEntities(waba, appId) : [])])
}

export function wabaHealth(waba: Waba, appId: string) {
  return together(wabaEntities(waba, appId))
}

/** The worst status of all entities. */
function together(entities: Entity[]) {
  const worst = (['BLOCKED', 'LIMITED'] as const).find((each) =>
    entities.some((entity) => entity.can_send_message === each),
  )
  return { can_send_message: worst ?? 'AVAILABLE', entities }
}

function numberEntity({ id, isRegistered, nameStatus }: PhoneNumber): Entity {
  if (!isRegistered)
    return {
      entity_type: 'PHONE_NUMBER',
      id,
      can_send_message: 'BLOCKED',
      errors: [
        {
          error_code: 141000,
          error_description: 'This phone number is not registered.',
          possible_solution: 'Register the number.',
        },
      ],
    }
  if (nameStatus === 'APPROVED' || nameStatus === 'AVAILABLE_WITHOUT_REVIEW')
    return { entity_type: 'PHONE_NUMBER', id, can_send_message: 'AVAILABLE' }
  return {
    entity_type: 'PHONE_NUMBER',
    id,
    can_send_message: 'LIMITED',
    additional_info: ['Your display name has not been approved yet.'],
  }
}

function wabaEntities(waba: Waba, appId: string): Entity[] {
  const isBlocked = waba.status !== 'ACTIVE' || waba.accountReviewStatus === 'REJECTED'
  const errors = [
    {
      error_code: 141006,
      error_description: 'This account may not send messages.',
      possible_solution: 'Appeal in Business Support.',
    },
  ]
  return [
    {
      entity_type: 'WABA',
      id: waba.id,
      ...(isBlocked ? { can_send_message: 'BLOCKED', errors } : { can_send_message: 'AVAILABLE' }),
    },
    { entity_type: 'BUSINESS', id: waba.businessId, can_send_message: 'AVAILABLE' },
    { entity_type: 'APP', id: appId, can_send_message: 'AVAILABLE' },
  ]
}
