import type { Simulation } from '../simulation.ts'
import { createDevices, type Devices } from './devices.ts'
import { createDirectory, type Directory } from './directory.ts'
import { createLimits, type Limits } from './limits.ts'
import { createMessageLog, type MessageLog } from './message-log.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import { defaultSettings, type RbmSettings } from './settings.ts'
import { createSubscribers, type Subscribers } from './subscribers.ts'
import { createTokens, type Tokens } from './tokens.ts'

/** The simulated RCS platforms: agents, phones, messages and webhooks. */
export type Rbm = {
  simulation: Simulation
  settings: RbmSettings
  directory: Directory
  devices: Devices
  tokens: Tokens
  dotgoTokens: Map<string, { isAdmin: boolean; expiresAtMs: number }>
  messages: MessageLog
  subscribers: Subscribers
  limits: Limits
  outbox: Outbox
  /** Where the simulator listens, known after the start. */
  origin: string
  /** Deletes messages; agents, testers, templates and webhooks remain. */
  reset: () => void
  close: () => Promise<void>
}

export function createRbm(simulation: Simulation, changes: Partial<RbmSettings> = {}): Rbm {
  const initial = { ...defaultSettings, ...changes }
  const settings = { ...initial }
  const directory = createDirectory()
  const rbm: Rbm = {
    simulation,
    settings,
    directory,
    devices: createDevices(simulation, settings),
    tokens: createTokens(directory, settings),
    dotgoTokens: new Map(),
    messages: createMessageLog(),
    subscribers: createSubscribers(),
    limits: createLimits(settings),
    outbox: createOutbox({ simulation, directory, settings }),
    origin: 'http://127.0.0.1',
    reset() {
      Object.assign(settings, initial)
      rbm.devices.clear()
      rbm.messages.clear()
      rbm.subscribers.clear()
      rbm.limits.reset()
      rbm.outbox.reset()
    },
    close: () => rbm.outbox.close(),
  }
  return rbm
}
