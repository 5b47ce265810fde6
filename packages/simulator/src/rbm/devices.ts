import { seededRandom } from '../random.ts'
import type { Simulation } from '../simulation.ts'
import type { RbmSettings } from './settings.ts'

const textFeatures = [
  'REVOCATION',
  'ACTION_CREATE_CALENDAR_EVENT',
  'ACTION_DIAL',
  'ACTION_OPEN_URL',
  'ACTION_SHARE_LOCATION',
  'ACTION_VIEW_LOCATION',
] as const
const cardFeatures = ['RICHCARD_STANDALONE', 'RICHCARD_CAROUSEL'] as const

export type Device = {
  isRcs: boolean
  isOnline: boolean
  hasRichCards: boolean
  readReceipts: boolean
}

export type Devices = {
  find: (number: string) => Device
  change: (number: string, changes: Partial<Device>) => Device
  clear: () => void
}

/** The phones as far as RCS is concerned. Only phones that were changed are stored: a campaign may reach millions. */
export function createDevices(simulation: Simulation, settings: RbmSettings): Devices {
  const changed = new Map<string, Device>()

  function find(number: string): Device {
    return changed.get(number) ?? initialDevice(number)
  }

  function initialDevice(number: string): Device {
    const { seed, magicNumbers } = simulation.plan()
    const suffix = magicNumbers ? number.slice(-4) : ''
    const isReached = settings.reachShare >= 1 || seededRandom(seed, `rcs ${number}`)() < settings.reachShare
    return {
      isRcs: isReached && suffix !== '0404',
      isOnline: suffix !== '0001',
      hasRichCards: suffix !== '0008',
      readReceipts: suffix !== '0002',
    }
  }

  return {
    find,
    change(number, changes) {
      const device = { ...find(number), ...changes }
      changed.set(number, device)
      return device
    },
    clear: () => changed.clear(),
  }
}

export function featuresOf({ hasRichCards }: Device): string[] {
  return hasRichCards ? [...cardFeatures, ...textFeatures] : [...textFeatures]
}
