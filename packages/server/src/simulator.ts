import { join } from 'node:path'
import pg from 'pg'
import type { Config } from './config.ts'
import type { SimulatedRbm } from './demo/rcs.ts'
import type { SimulatedGraph } from './demo/whatsapp.ts'
import { runEvery } from './lib/background.ts'
import type { Logger } from './lib/logger.ts'
import type { AppOptions } from './wiring/services.ts'

/** Why the simulator did not start, in one line. */
export class SimulatorError extends Error {
  override name = 'SimulatorError'
}

/** Where a simulator listens on this machine. */
export type SimulatorAddress = { id: string; smscPort: number; httpPort: number }

/** The simulator that this process runs. */
export type OwnSimulator = SimulatorAddress & { graph: SimulatedGraph; rbm: SimulatedRbm; close(): Promise<void> }

/** What this process uses: its own simulator, or that of another process of the installation. */
export type UsedSimulator = { place: SimulatorAddress; own: OwnSimulator | undefined; demoAccount: DemoAccount }

type DemoAccount = NonNullable<AppOptions['demoAccount']>

type Queryable = Pick<pg.ClientBase, 'query'>

const stateKey = 'simulator'

/**
 * Uses the simulator that another process of this installation runs on this machine, else starts one. Only processes of the
 * web role start one, because its callbacks go to the process that runs it.
 */
export async function openSimulator(config: Config, databaseUrl: string): Promise<UsedSimulator | undefined> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    // Processes that start together: one starts it, the others find it.
    await client.query(`select pg_advisory_lock(hashtext('carillon.simulator'))`)
    const running = await findRunning(client)
    if (running) return { place: running, own: undefined, demoAccount: await describeAccount(running) }
    if (!config.roles.has('web')) return undefined
    const own = await start(config)
    const place = { id: own.id, smscPort: own.smscPort, httpPort: own.httpPort }
    await client.query(
      'insert into system_state (key, value) values ($1, $2) on conflict (key) do update set value = excluded.value',
      [stateKey, JSON.stringify(place)],
    )
    return { place, own, demoAccount: await describeAccount(own) }
  } finally {
    await client.end()
  }
}

type Follow = { pool: Queryable; logger: Logger; onPlace(place: SimulatorAddress): void }

const followEveryMs = 2000

/** Looks up where the simulator of another process is, as long as that runs: it may start later and on other ports. */
export function followSimulator({ pool, logger, onPlace }: Follow): { stop(): Promise<void> } {
  async function look() {
    const place = await findRunning(pool)
    if (place) onPlace(place)
  }
  return runEvery(followEveryMs, look, { name: 'looking for the simulator', logger })
}

/** The simulator is on this machine, whose addresses providers may otherwise not connect to. `allow` adds its ports later. */
export function allowSimulator(config: Config, simulator: UsedSimulator | undefined) {
  const allowed = [...config.EGRESS_ALLOW]
  const allow = ({ httpPort, smscPort }: SimulatorAddress) => {
    for (const port of [httpPort, smscPort]) {
      const address = `127.0.0.1:${port}`
      if (!allowed.includes(address)) allowed.push(address)
    }
  }
  if (simulator) allow(simulator.place)
  return { allowed, allow }
}

async function findRunning(client: Queryable): Promise<SimulatorAddress | undefined> {
  const { rows } = await client.query<{ place: SimulatorAddress }>(
    'select value as place from system_state where key = $1',
    [stateKey],
  )
  const place = rows[0]?.place
  return place && (await answers(place)) ? place : undefined
}

/** Another program may use its port by now. */
async function answers({ id, httpPort }: SimulatorAddress): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${httpPort}/api/identity`, { signal: AbortSignal.timeout(2000) })
    const identity: unknown = await answer.json()
    return typeof identity === 'object' && identity !== null && 'id' in identity && identity.id === id
  } catch {
    return false
  }
}

/** The ids and secrets that connect the simulator's WhatsApp account. */
export async function describeAccount({ httpPort }: Pick<SimulatorAddress, 'httpPort'>): Promise<DemoAccount> {
  const { demoAccount } = await import('@carillon/simulator/graph/demo-account')
  const { wabaId, phoneNumberIds, token, appId, appSecret } = demoAccount
  const graphUrl = `http://127.0.0.1:${httpPort}/graph`
  return { graphUrl, waba_id: wabaId, phoneNumberIds: [...phoneNumberIds], accessToken: token, appId, appSecret }
}

/** Loaded only by a process that uses it. */
async function start(config: Config): Promise<OwnSimulator> {
  const { startSimulator } = await import('@carillon/simulator/index')
  try {
    return await startSimulator({
      smscPort: config.SIMULATOR_SMSC_PORT,
      httpPort: config.SIMULATOR_HTTP_PORT,
      graphFile: join(config.dataDirectory, 'simulator-graph'),
      rbmFile: join(config.dataDirectory, 'simulator-rbm'),
      // Like real people: not everyone reads every message, and no one immediately. Some phones have no RCS.
      graph: { readShare: 0.6, gapMs: [50, 1500] },
      rbm: { reachShare: 0.8, readShare: 0.6, gapMs: [50, 1500] },
    })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
      throw new SimulatorError(
        'A port of the simulator is taken: set SIMULATOR_HTTP_PORT or SIMULATOR_SMSC_PORT to a free one, or SIMULATOR=off',
      )
    throw error
  }
}
