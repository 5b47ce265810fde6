import { startSimulator, type Simulator } from '@carillon/simulator/index'
import { buildAdmin, buildDepartmentHead, buildManager, buildReseller, buildUser, type Account } from './builders.ts'
import { testServer, type TestServer } from './server.ts'

/** The product and the simulated RCS platforms, with the partner account entered; two organisations. */
export type RcsServer = {
  simulator: Simulator
  server: TestServer
  admin: Account
  reseller: Account
  manager: Account
  head: Account
  user: Account
  foreign: Account
  /** The partner's settings, as the administrator enters them. */
  partner(): { keyFile: string; apiUrl: string; managementUrl: string }
  close(): Promise<void>
}

export async function buildRcsServer(): Promise<RcsServer> {
  const simulator = await startSimulator({ rbm: { reviewMs: 30, launchMs: 30, testerMs: 20 } })
  const server = await testServer({ environment: { EGRESS_ALLOW: `127.0.0.1:${simulator.httpPort}` } })
  const admin = await buildAdmin(server.database)
  const reseller = await buildReseller(server.database, { parent: admin })
  const manager = await buildManager(server.database, { parent: reseller })
  const head = await buildDepartmentHead(server.database, { parent: manager })
  const user = await buildUser(server.database, { parent: head })
  const foreign = await buildManager(server.database, { parent: reseller })
  const partner = () => ({
    keyFile: JSON.stringify(simulator.rbm.control.serviceAccount()),
    apiUrl: simulator.rbm.baseUrl,
    managementUrl: `${simulator.rbm.baseUrl}/management`,
  })
  await server.as(admin).ask('rcsPartner.set', { body: partner() })
  return {
    simulator,
    server,
    admin,
    reseller,
    manager,
    head,
    user,
    foreign,
    partner,
    async close() {
      await server.close()
      await simulator.close()
    },
  }
}
