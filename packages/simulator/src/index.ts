import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { TlsOptions } from 'node:tls'
import fastify from 'fastify'
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
import { createSimulation, type Counts } from './simulation.ts'
import { resetGraph } from './graph/reset-graph.ts'
import { keepGraph } from './graph/saved-graph.ts'

export type SimulatorOptions = {
  host?: string
  /** 0, the default, takes any free port. */
  smscPort?: number
  httpPort?: number
  accounts?: AccountSettings[]
  scenario?: ScenarioName
  faults?: Partial<FaultPlan>
  /** Every message a phone received, one JSON line each. */
  handsetFile?: string | undefined
  /** The SMSC speaks TLS with this certificate. */
  smscTls?: TlsOptions
  graph?: Partial<GraphSettings>
  /** Where the simulated Meta keeps its accounts, numbers, templates and subscriptions over a restart. */
  graphFile?: string
}

/** The simulated Meta: where it is, what stands there at start, and what steers it. */
export type SimulatedGraph = DemoAccount & {
  /** The version follows: `${baseUrl}/v25.0/…`. */
  baseUrl: string
  control: GraphControl
}

export type Simulator = {
  /** New with every start; `GET /api/identity` answers it. */
  id: string
  smscPort: number
  httpPort: number
  handset: Handset
  counts: Counts
  accounts: Accounts
  graph: SimulatedGraph
  /** Changes the named parts of the plan; the rest stays. */
  setFaults: (changes: Partial<FaultPlan>) => FaultPlan
  useScenario: (name: ScenarioName) => FaultPlan
  putAccount: (settings: AccountSettings) => Account
  /** A person answers on the phone. */
  reply: (reply: { number: string; to: string; text: string; account?: string }) => void
  submitsStartedAfter: (instantMs: number) => number
  reset: () => void
  close: () => Promise<void>
}

/** Plays the operators: an SMSC, an HTTP gateway with several faces, and the phones they reach, in this process. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const host = options.host ?? '127.0.0.1'
  const simulation = createSimulation({
    accounts: options.accounts,
    plan: scenarioPlan(options.scenario ?? 'calm', options.faults),
    handsetFile: options.handsetFile,
  })
  const callbacks = createCallbacks(simulation)
  const graph = createGraph(simulation, options.graph)
  const stopKeeping = options.graphFile ? keepGraph(graph, options.graphFile) : undefined
  const graphControl = createGraphControl(graph)
  const smsc = await startSmsc(simulation, { host, port: options.smscPort ?? 0, tls: options.smscTls })

  const app = fastify({ bodyLimit: 4 * 1024 * 1024, forceCloseConnections: true })
  await app.register(httpGateway, { simulation, callbacks })
  const id = randomUUID()
  app.get('/api/identity', async () => ({ id }))
  await app.register(controlApi, { simulation, smsc, callbacks, reset })
  await app.register(graphApi, { graph })
  await app.register(graphControlApi, { control: graphControl })
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
  }

  // A server that listens on a port has an address, not the path of a pipe.
  const httpPort = (app.server.address() as AddressInfo).port
  return {
    id,
    smscPort: smsc.port,
    httpPort,
    handset: simulation.handset,
    counts: simulation.counts,
    accounts: simulation.accounts,
    graph: { ...demoAccount, baseUrl: `http://${host}:${httpPort}/graph`, control: graphControl },
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
      stopKeeping?.()
      simulation.scheduler.clear()
      await app.close()
      await smsc.close()
      await callbacks.close()
      await graph.close()
      await simulation.handset.close()
    },
  }
}
