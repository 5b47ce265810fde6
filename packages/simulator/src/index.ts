import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { TlsOptions } from 'node:tls'
import fastify, { type FastifyInstance } from 'fastify'
import type { Account, AccountSettings, Accounts } from './accounts.ts'
import { controlApi } from './control.ts'
import type { FaultPlan } from './faults.ts'
import { createGraphControl, type GraphControl } from './graph/control.ts'
import { graphControlApi } from './graph/control-routes.ts'
import { type DemoAccount, demoAccount } from './graph/demo-account.ts'
import { createGraph } from './graph/graph.ts'
import { graphApi } from './graph/graph-api.ts'
import type { GraphSettings } from './graph/settings.ts'
import type { Handset } from './handset.ts'
import { createCallbacks } from './http-gateway/callbacks.ts'
import { httpGateway } from './http-gateway/gateway.ts'
import { sendInbound } from './inbound.ts'
import { isScenario, type ScenarioName, scenarioPlan } from './scenarios.ts'
import { startSmsc } from './smsc/smsc.ts'
import type { Saving } from './saved-state.ts'
import { createSimulation, type Counts } from './simulation.ts'
import { resetGraph } from './graph/reset-graph.ts'
import { persistGraph } from './graph/saved-graph.ts'
import { createRbmControl, type RbmControl } from './rbm/control.ts'
import { rbmControlApi } from './rbm/control-routes.ts'
import { type DemoPartner, demoPartner } from './rbm/demo-agent.ts'
import { dotgoApi } from './rbm/dotgo-api.ts'
import { googleApi } from './rbm/google-api.ts'
import { managementApi } from './rbm/management-api.ts'
import { createRbm, type Rbm } from './rbm/rbm.ts'
import { resetRbm } from './rbm/reset-rbm.ts'
import { persistRbm } from './rbm/saved-rbm.ts'
import type { RbmSettings } from './rbm/settings.ts'

export type SimulatorOptions = {
  host?: string
  /** 0, the default, chooses a free port. */
  smscPort?: number
  httpPort?: number
  accounts?: AccountSettings[]
  scenario?: ScenarioName
  faults?: Partial<FaultPlan>
  /** File for received messages, one JSON line each. */
  handsetFile?: string | undefined
  /** Enables TLS on the SMSC with this certificate. */
  smscTls?: TlsOptions
  graph?: Partial<GraphSettings>
  /** File in which the simulated Meta stores its accounts, numbers, templates and subscriptions. */
  graphFile?: string
  rbm?: Partial<RbmSettings>
  /** File in which the simulated RCS platforms store their agents, testers, templates, webhooks and key. */
  rbmFile?: string
}

/** The simulated Meta: its URL, initial objects and control functions. */
export type SimulatedGraph = DemoAccount & {
  /** Without version; calls go to `${baseUrl}/v25.0/…`. */
  baseUrl: string
  control: GraphControl
}

/** The simulated RCS platforms: their URLs, initial objects and control functions. */
export type SimulatedRbm = DemoPartner & {
  /** Without version; calls go to `${baseUrl}/asia/v1/…`, `…/management/v1/…` and `…/token`. */
  baseUrl: string
  /** The server root of the Dotgo platform. */
  dotgoUrl: string
  control: RbmControl
}

export type Simulator = {
  /** Changes at every start; returned by `GET /api/identity`. */
  id: string
  smscPort: number
  httpPort: number
  handset: Handset
  counts: Counts
  accounts: Accounts
  graph: SimulatedGraph
  rbm: SimulatedRbm
  /** Updates parts of the fault plan. */
  setFaults: (changes: Partial<FaultPlan>) => FaultPlan
  useScenario: (name: ScenarioName) => FaultPlan
  putAccount: (settings: AccountSettings) => Account
  /** Sends an inbound message. */
  reply: (reply: { number: string; to: string; text: string; account?: string }) => void
  submitsStartedAfter: (instantMs: number) => number
  reset: () => void
  close: () => Promise<void>
}

type Savings = { graph: Saving | undefined; rbm: Saving | undefined }

/** What a call changed survives a kill of the process once the call has a response. Sends change nothing that is saved. */
function saveCalls(app: FastifyInstance, { graph, rbm }: Savings) {
  app.addHook('onSend', async ({ method, url }) => {
    const [path = ''] = url.split('?', 1)
    if (method === 'GET' || /messages/i.test(path)) return
    if (path.startsWith('/graph/')) graph?.save()
    else if (/^\/(rbm|dotgo)\//.test(path)) rbm?.save()
  })
}

/** Starts simulated operators in this process: an SMSC, HTTP gateways with several APIs, and phones. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const host = options.host ?? '127.0.0.1'
  const simulation = createSimulation({
    accounts: options.accounts,
    plan: scenarioPlan(options.scenario ?? 'calm', options.faults),
    handsetFile: options.handsetFile,
  })
  const callbacks = createCallbacks(simulation)
  const graph = createGraph(simulation, options.graph)
  const savedGraph = options.graphFile ? persistGraph(graph, options.graphFile) : undefined
  const graphControl = createGraphControl(graph)
  const rbm = createRbm(simulation, options.rbm)
  const savedRbm = options.rbmFile ? persistRbm(rbm, options.rbmFile) : undefined
  const rbmControl = createRbmControl(rbm)
  const smsc = await startSmsc(simulation, { host, port: options.smscPort ?? 0, tls: options.smscTls })

  const app = fastify({ bodyLimit: 4 * 1024 * 1024, forceCloseConnections: true })
  saveCalls(app, { graph: savedGraph, rbm: savedRbm })
  await app.register(httpGateway, { simulation, callbacks })
  const id = randomUUID()
  app.get('/api/identity', async () => ({ id }))
  await app.register(controlApi, { simulation, smsc, callbacks, reset })
  await app.register(graphApi, { graph })
  await app.register(graphControlApi, { control: graphControl })
  await mountRbm(app, rbm, rbmControl)
  try {
    await app.listen({ host, port: options.httpPort ?? 0 })
  } catch (error) {
    await smsc.close()
    throw error
  }

  function reset() {
    simulation.reset()
    smsc.reset()
    callbacks.reset()
    resetGraph(graph)
    resetRbm(rbm)
  }

  // A server on a port has an address object.
  const httpPort = (app.server.address() as AddressInfo).port
  rbm.origin = `http://${host}:${httpPort}`
  return {
    id,
    smscPort: smsc.port,
    httpPort,
    handset: simulation.handset,
    counts: simulation.counts,
    accounts: simulation.accounts,
    graph: { ...demoAccount, baseUrl: `http://${host}:${httpPort}/graph`, control: graphControl },
    rbm: { ...demoPartner, baseUrl: `${rbm.origin}/rbm`, dotgoUrl: `${rbm.origin}/dotgo`, control: rbmControl },
    setFaults(changes) {
      simulation.setPlan({ ...simulation.plan(), ...changes })
      return simulation.plan()
    },
    useScenario(name) {
      if (!isScenario(name)) throw new RangeError(`There is no scenario ${String(name)}`)
      simulation.setPlan(scenarioPlan(name, { seed: simulation.plan().seed }))
      return simulation.plan()
    },
    putAccount: simulation.accounts.put,
    reply(reply) {
      sendInbound({ simulation, smsc, callbacks }, reply)
    },
    submitsStartedAfter: simulation.submitsStartedAfter,
    reset,
    async close() {
      savedGraph?.stop()
      savedRbm?.stop()
      simulation.scheduler.clear()
      await app.close()
      await smsc.close()
      await callbacks.close()
      await graph.close()
      await rbm.close()
      await simulation.handset.close()
    },
  }
}

async function mountRbm(app: FastifyInstance, rbm: Rbm, control: RbmControl) {
  await app.register(googleApi, { rbm })
  await app.register(managementApi, { rbm })
  await app.register(dotgoApi, { rbm })
  await app.register(rbmControlApi, { control })
}
