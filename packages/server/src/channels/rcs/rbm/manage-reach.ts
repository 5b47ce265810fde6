import { randomUUID } from 'node:crypto'
import { Refusal, type Reach } from '../../management.ts'
import type { ProviderCallIo } from '../../provider.ts'
import { messagingUrl, rbmScopes, type RbmRegion, type RcsPartner } from '../partner.ts'
import { openGoogleApi } from './manage-api.ts'

const mostNumbers = 10_000
/** Google may refuse fewer numbers in one request: they are then checked one by one. */
const leastNumbers = 500
const concurrency = 10

/** Which phones an agent reaches. Google checks numbers in bulk at the host of their region only. */
export function reachCalls(partner: () => Promise<RcsPartner>, agentId: string, io: ProviderCallIo): Reach {
  const openAt = async (region: RbmRegion) => {
    const settings = await partner()
    return openGoogleApi({ partner: settings, scope: rbmScopes.messaging, url: messagingUrl(settings, region) }, io)
  }
  async function checkOne(number: string): Promise<{ features: string[] } | undefined> {
    const api = await openAt('global')
    const path = `phones/${number}/capabilities`
    try {
      const { features } = await api({ path, query: { requestId: randomUUID(), agentId } })
      return { features: Array.isArray(features) ? features.map(String) : [] }
    } catch (error) {
      if (error instanceof Refusal && error.code === '404') return undefined
      throw error
    }
  }
  return {
    async checkMany(numbers) {
      const answers: Answer[] = []
      for (const [region, group] of byRegion(numbers)) {
        const api = await openAt(region)
        for (let at = 0; at < group.length; at += mostNumbers) {
          const users = group.slice(at, at + mostNumbers)
          await waitForTurn(io)
          const found = await api({ method: 'POST', path: 'users:batchGet', json: { users, agentId } })
            .then(readAnswer)
            .catch((error: unknown) => {
              if (isPassing(error)) return { ...nothing, unknown: users }
              if (isTooFew(error, users)) return checkEach(users, checkOne)
              throw error
            })
          answers.push(found)
        }
      }
      return sumOf(answers)
    },
    checkOne,
  }
}

type Answer = { reachable: string[]; unknown: string[]; sample: { total: number; reachable: number } }

const nothing: Answer = { reachable: [], unknown: [], sample: { total: 0, reachable: 0 } }

function readAnswer(found: Record<string, unknown>): Answer {
  const { reachableUsers, totalRandomSampleUserCount, reachableRandomSampleUserCount } = found
  return {
    reachable: Array.isArray(reachableUsers) ? reachableUsers.map(String) : [],
    unknown: [],
    sample: { total: Number(totalRandomSampleUserCount) || 0, reachable: Number(reachableRandomSampleUserCount) || 0 },
  }
}

function sumOf(answers: readonly Answer[]) {
  const sum = (part: keyof Answer['sample']) => answers.reduce((total, { sample }) => total + sample[part], 0)
  const sample = { total: sum('total'), reachable: sum('reachable') }
  return {
    reachable: answers.flatMap(({ reachable }) => reachable),
    unknown: answers.flatMap(({ unknown }) => unknown),
    sample: sample.total > 0 ? sample : undefined,
  }
}

/** Too many calls, or a passing error: these numbers can be checked again. */
function isPassing(error: unknown): boolean {
  return error instanceof Refusal && (error.kind === 'limit' || error.kind === 'passing')
}

function isTooFew(error: unknown, users: readonly string[]): boolean {
  return error instanceof Refusal && error.kind === 'input' && users.length < leastNumbers
}

/** Some at a time. A number that cannot be checked is unknown. */
async function checkEach(users: readonly string[], checkOne: Reach['checkOne']): Promise<Answer> {
  const answer: Answer = { ...nothing, reachable: [], unknown: [] }
  const rest = users.values()
  async function work() {
    for (const user of rest) {
      try {
        if (await checkOne(user)) answer.reachable.push(user)
      } catch (error) {
        if (!(error instanceof Refusal) || error.kind === 'credentials') throw error
        answer.unknown.push(user)
      }
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return answer
}

function byRegion(numbers: readonly string[]): Map<RbmRegion, string[]> {
  const groups = new Map<RbmRegion, string[]>()
  for (const number of numbers) {
    const region = regionOf(number)
    const group = groups.get(region)
    if (group) group.push(number)
    else groups.set(region, [number])
  }
  return groups
}

/** The region of a number by its country code: zone 1 and 5 the Americas; 2, 3, 4, 7 and the Middle East Europe; else Asia. */
export function regionOf(number: string): RbmRegion {
  const digits = number.replace('+', '')
  if (/^[15]/.test(digits)) return 'us'
  return /^(?:[2347]|9[67])/.test(digits) ? 'europe' : 'asia'
}

const perMinute = 600
const minuteMs = 60_000
/** Times of the last calls of this process: the limit is the partner's, for all its bots together. */
const recent: number[] = []

async function waitForTurn({ clock }: Pick<ProviderCallIo, 'clock'>): Promise<void> {
  const now = clock.now().getTime()
  while (recent[0] !== undefined && recent[0] <= now - minuteMs) recent.shift()
  const first = recent[recent.length - perMinute]
  const wait = first === undefined ? 0 : first + minuteMs - now
  recent.push(now + wait)
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
}
