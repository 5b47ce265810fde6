import { seededRandom } from '../random.ts'
import { type Host, hostOf } from './carriers.ts'
import type { Agent, Row } from './objects.ts'
import type { Rbm } from './rbm.ts'
import { invalid, RbmError } from './rbm-error.ts'
import { digitsOf, requireKnown } from './reading.ts'
import { reachProblem } from './send-message.ts'

const mostUsers = 10_000
/** Below this the sample would name individual users. */
const leastSample = 500
const sampleShare = 0.75

/** `POST /v1/users:batchGet`: which of these numbers the agent can reach. */
export function batchGet(rbm: Rbm, { body, host, agent }: { body: Row; host: Host; agent: Agent }) {
  requireKnown(body, ['users', 'agentId'], '')
  if (!rbm.limits.takeBatchGet())
    throw new RbmError('RESOURCE_EXHAUSTED', 'Quota exceeded: at most 600 calls per minute are allowed')
  const numbers = readUsers(body)
  const { batchGetLeast } = rbm.settings
  if (numbers.length < batchGetLeast) throw invalid('users', `must have at least ${batchGetLeast} entries`)
  const foreign = numbers.find((number) => hostOf(number) !== host)
  if (foreign !== undefined)
    throw new RbmError('INVALID_ARGUMENT', `+${foreign} does not belong to the region of this endpoint`, 'users')
  const isReachable = (number: string) => reachProblem(rbm, agent, number) === undefined
  const sample = numbers.length < leastSample ? [] : takeSample(rbm, numbers)
  return {
    reachableUsers: numbers.filter(isReachable).map((number) => `+${number}`),
    totalRandomSampleUserCount: sample.length,
    reachableRandomSampleUserCount: sample.filter(isReachable).length,
  }
}

function readUsers({ users }: Row): string[] {
  if (!Array.isArray(users) || users.length === 0) throw invalid('users', 'must be a list of phone numbers')
  if (users.length > mostUsers)
    throw invalid('users', `must have at most ${mostUsers} entries, and has ${users.length}`)
  return users.map((user: unknown, index) => {
    const digits = typeof user === 'string' ? digitsOf(user) : undefined
    if (digits === undefined) throw invalid(`users[${index}]`, 'must be a phone number in E.164 format')
    return digits
  })
}

function takeSample(rbm: Rbm, numbers: string[]): string[] {
  const random = seededRandom(rbm.simulation.plan().seed, `sample ${numbers.length} ${numbers[0]}`)
  return numbers.filter(() => random() < sampleShare)
}
