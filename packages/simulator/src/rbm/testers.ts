import { testerKey } from './directory.ts'
import type { InviteStatus, Row, Tester } from './objects.ts'
import type { Rbm } from './rbm.ts'
import { invalid, RbmError } from './rbm-error.ts'
import { digitsOf, needText } from './reading.ts'

const dayMs = 24 * 3_600_000

/** `POST /v1/testers`: invites a phone, which may then receive messages of an agent that is not launched. */
export function inviteTester(rbm: Rbm, row: Row) {
  const id = needText({ row, name: 'agentId' })
  const agent = rbm.directory.findAgent(id)
  if (!agent) throw new RbmError('NOT_FOUND', `There is no agent ${id}`)
  const number = digitsOf(needText({ row, name: 'phoneNumber' }))
  if (number === undefined) throw invalid('phoneNumber', 'must be in E.164 format')
  if (!rbm.devices.find(number).isRcs) throw new RbmError('NOT_FOUND', 'The phone number cannot be reached by RCS')
  const { testers } = rbm.directory
  const key = testerKey({ agentId: agent.id, number })
  const known = testers.get(key)
  if (known && known.status !== 'DECLINED') return presentTester(known)

  const invited = [...testers.values()].filter(({ agentId }) => agentId === agent.id)
  const today = invited.filter(({ invitedAtMs }) => invitedAtMs > Date.now() - dayMs)
  if (today.length >= rbm.settings.testersPerDay || invited.length >= rbm.settings.testersPerAgent)
    throw new RbmError('RESOURCE_EXHAUSTED', 'The limit of tester requests is reached')
  const tester: Tester = { agentId: agent.id, number, status: 'PENDING', invitedAtMs: Date.now() }
  testers.set(key, tester)
  rbm.simulation.scheduler.after(rbm.settings.testerMs, () => {
    if (tester.status === 'PENDING') tester.status = 'ACCEPTED'
  })
  return presentTester(tester)
}

export function listTesters(rbm: Rbm, agentId: string) {
  const id = rbm.directory.findAgent(agentId)?.id
  return { testers: [...rbm.directory.testers.values()].filter((tester) => tester.agentId === id).map(presentTester) }
}

export function findTester(rbm: Rbm, agentId: string, phoneNumber: string): Tester {
  const id = rbm.directory.findAgent(agentId)?.id ?? ''
  const tester = rbm.directory.testers.get(testerKey({ agentId: id, number: digitsOf(phoneNumber) ?? '' }))
  if (!tester) throw new RbmError('NOT_FOUND', `${phoneNumber} is no tester of ${agentId}`)
  return tester
}

export function presentTester({ agentId, number, status }: Tester) {
  return { name: `testers/+${number}`, agentId, phoneNumber: `+${number}`, inviteStatus: status }
}

/** The person accepts or declines the invitation, or withdraws. */
export function answerInvite(rbm: Rbm, tester: Pick<Tester, 'agentId' | 'number'>, status: InviteStatus) {
  Object.assign(findTester(rbm, tester.agentId, `+${tester.number}`), { status })
}
