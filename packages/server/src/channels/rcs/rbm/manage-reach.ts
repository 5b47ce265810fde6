import { randomUUID } from 'node:crypto'
import { Refusal, type Reach } from '../../management.ts'
import type { ProviderCallIo } from '../../provider.ts'
import { messagingUrl, rbmScopes, type RbmRegion, type RcsPartner } from '../partner.ts'
import { openGoogleApi } from './manage-api.ts'

const mostNumbers = 10_000

/** Which phones an agent reaches. Google checks numbers in bulk at the host of their region only. */
export function reachCalls(partner: () => Promise<RcsPartner>, agentId: string, io: ProviderCallIo): Reach {
  const openAt = async (region: RbmRegion) => {
    const settings = await partner()
    return openGoogleApi({ partner: settings, scope: rbmScopes.messaging, url: messagingUrl(settings, region) }, io)
  }
  return {
    async checkMany(numbers) {
      const reachable: string[] = []
      const unknown: string[] = []
      let sample = { total: 0, reachable: 0 }
      for (const [region, group] of byRegion(numbers)) {
        const api = await openAt(region)
        for (let at = 0; at < group.length; at += mostNumbers) {
          const users = group.slice(at, at + mostNumbers)
          await waitForTurn(io)
          const found = await api({ method: 'POST', path: 'users:batchGet', json: { users, agentId } }).catch(limited)
          if (!found) unknown.push(...users)
          else {
            const { reachableUsers: list } = found
            reachable.push(...(Array.isArray(list) ? list.map(String) : []))
            sample = addSample(sample, found)
          }
        }
      }
      return { reachable, unknown, sample: sample.total > 0 ? sample : undefined }
    },
    async checkOne(number) {
      const api = await openAt('global')
      const path = `phones/${number}/capabilities`
      try {
        const { features } = await api({ path, query: { requestId: randomUUID(), agentId } })
        return { features: Array.isArray(features) ? features.map(String) : [] }
      } catch (error) {
        if (error instanceof Refusal && error.code === '404') return undefined
        throw error
      }
    },
  }
}

/** Too many calls, or a passing error: these numbers can be checked again. */
function limited(error: unknown): undefined {
  if (error instanceof Refusal && (error.kind === 'limit' || error.kind === 'passing')) return undefined
  throw error
}

type Sample = { total: number; reachable: number }

function addSample(sample: Sample, found: Record<string, unknown>): Sample {
  return {
    total: sample.total + (Number(found['totalRandomSampleUserCount']) || 0),
    reachable: sample.reachable + (Number(found['reachableRandomSampleUserCount']) || 0),
  }
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
